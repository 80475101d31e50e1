/**
 * Sets up a SIP connection at the carrier and our trunk to it, by which calls go out and come in. Both use a new password. A
 * repetition continues what was interrupted, because the carrier's parts are found by their names.
 */
import { randomBytes } from 'node:crypto';
import {
  errorText,
  fieldFault,
  newTrunkBody,
  wording,
  type CarrierAccountRecord,
  type NewTrunk,
} from '@parley/contracts';
import { Trunk, type CarrierAccountRow, type Transaction } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { addTrunkIn, changeTrunkIn } from '../trunks/trunks.ts';
import type { Identity } from '../users/identity.ts';
import { accountRecord, lockOwnAccount } from './accounts.ts';
import { askCarrier, CARRIER_NAMES, findOwnAccount } from './open-carrier.ts';
import type { NewConnection } from './wire/carrier.ts';

const PASSWORD_BYTES = 18;

/**
 * @throws DomainError as `findOwnAccount` and `askCarrier`; `invalid` for Twilio without the address of this installation
 */
export async function connectCarrierAccount(
  ctx: CoreContext,
  identity: Identity,
  { id, sipAddress }: { id: number; sipAddress: string | null },
): Promise<CarrierAccountRecord> {
  const account = await findOwnAccount(ctx.db, identity, id);
  if (account.kind === 'twilio' && sipAddress === null) {
    const fields = fieldFault('sip_address', wording.required);
    throw new DomainError('invalid', errorText.invalidData, { fields });
  }
  const password = newPassword();
  const plan = { tag: account.tag, password, sipAddress };
  const made = await askCarrier(ctx, account, (carrier) => carrier.connect(plan));
  return ctx.db.transaction(async (tx) => {
    const locked = await lockOwnAccount(tx, identity, id);
    const { trunkRef, messagingProfileRef } = made;
    locked.connection = { trunkRef, messagingProfileRef };
    locked.trunkId = await writeTrunk(ctx, tx, identity, { account: locked, made, password });
    return accountRecord(locked, identity);
  });
}

/** @returns its id */
async function writeTrunk(
  ctx: CoreContext,
  tx: Transaction,
  identity: Identity,
  { account, made, password }: { account: CarrierAccountRow; made: NewConnection; password: string },
): Promise<number> {
  const access = { host: made.host, username: made.username, password };
  const stored = account.trunkId === null ? null : await tx.em.findOne(Trunk, { id: account.trunkId });
  if (stored) return (await changeTrunkIn(ctx, tx, identity, { ...access, id: stored.id })).id;
  const settings: NewTrunk = {
    ...newTrunkBody.parse({
      name: `${CARRIER_NAMES[account.kind]}: ${account.name}`.slice(0, 255),
      ...access,
    }),
    registers: made.registers,
    // A call for a registered account is addressed to its Contact, and the number is in To.
    inbound_called_source: made.registers ? 'to' : 'request_uri',
    is_shared: account.userId === null,
  };
  return (await addTrunkIn(ctx, tx, identity, settings)).id;
}

/** Twilio wants 12 characters or more with a digit, an upper-case and a lower-case letter. */
function newPassword(): string {
  return `P7q${randomBytes(PASSWORD_BYTES).toString('hex')}`;
}
