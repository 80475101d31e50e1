/** The numbers that an account owns at its carrier, and their import. */
import {
  errorText,
  fieldFault,
  wording,
  type CarrierNumberRecord,
  type ImportNumbers,
  type OwnNumberRecord,
} from '@parley/contracts';
import { isUniqueViolation, PhoneNumber, User, type CarrierAccountRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { normalisePhoneNumber } from '../shared/phone-number.ts';
import { describeNumbers } from '../trunks/phone-number-record.ts';
import { insertNumber } from '../trunks/phone-numbers.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';
import { askCarrier, findOwnAccount } from './open-carrier.ts';
import type { Carrier, Connection, OwnedNumber } from './wire/carrier.ts';

/** @throws DomainError as `findOwnAccount` and `askCarrier` */
export async function listCarrierNumbers(
  ctx: CoreContext,
  identity: Identity,
  accountId: number,
): Promise<CarrierNumberRecord[]> {
  const account = await findOwnAccount(ctx.db, identity, accountId);
  const owned = await askCarrier(ctx, account, (carrier) => carrier.listNumbers());
  const phoneNumber = owned.map((number) => number.phoneNumber);
  const stored = await ctx.db.em.find(PhoneNumber, { phoneNumber }, { fields: ['phoneNumber'] });
  const imported = new Set(stored.map((row) => row.phoneNumber));
  return owned.map((number) => ({
    phone_number: number.phoneNumber,
    sms_capable: number.isSmsCapable,
    is_imported: imported.has(number.phoneNumber),
  }));
}

/**
 * Sends calls and messages of the numbers here. Those that were imported before are left as they are.
 *
 * @throws DomainError as `findOwnAccount` and `askCarrier`; `conflict` for an account that is not connected; `invalid` for a
 *   number that the account does not own or that is taken, and for a user that does not exist
 */
export async function importCarrierNumbers(
  ctx: CoreContext,
  identity: Identity,
  input: ImportNumbers & { accountId: number },
): Promise<OwnNumberRecord[]> {
  const account = await findOwnAccount(ctx.db, identity, input.accountId);
  const userId = await readOwner(ctx, identity, { account, userId: input.user_id ?? identity.userId });
  const access = requireConnection(account);
  return askCarrier(ctx, account, async (carrier) => {
    const owned = await carrier.listNumbers();
    const wanted = input.phone_numbers.map((text, index) => findOwned(owned, text, index));
    const imported: OwnNumberRecord[] = [];
    for (const number of new Set(wanted))
      imported.push(await adoptNumber(ctx, carrier, { account, ...access, userId, number }));
    return imported;
  });
}

function findOwned(owned: readonly OwnedNumber[], text: string, index: number): OwnedNumber {
  const phoneNumber = normalisePhoneNumber(text);
  const number = owned.find((candidate) => candidate.phoneNumber === phoneNumber);
  if (number) return number;
  throw fault(`phone_numbers.${index}`, 'The account does not own this number.');
}

async function readOwner(
  ctx: CoreContext,
  identity: Identity,
  { account, userId }: { account: CarrierAccountRow; userId: number },
): Promise<number> {
  if (userId === identity.userId) return userId;
  requireOperator(identity);
  // A user's own account carries only that user's calls.
  const mayHave = account.userId === null && (await ctx.db.em.findOne(User, { id: userId })) !== null;
  if (!mayHave) throw fault('user_id', wording.selected);
  return userId;
}

/** What numbers of an account are connected to. @throws DomainError `conflict` when it is not connected */
export function requireConnection({ connection, trunkId }: CarrierAccountRow): {
  connection: Connection;
  trunkId: number;
} {
  if (connection && trunkId !== null) return { connection, trunkId };
  throw new DomainError(
    'conflict',
    'Connect this carrier account first, so that its numbers have a SIP trunk.',
  );
}

/** A number of an account that becomes a phone number here. */
export interface Adoption {
  account: CarrierAccountRow;
  connection: Connection;
  trunkId: number;
  userId: number;
  number: OwnedNumber;
}

/** Harmless when it is repeated. @throws DomainError `invalid` when the number is a phone number of another user or trunk */
export async function adoptNumber(
  ctx: CoreContext,
  carrier: Carrier,
  { account, connection, trunkId, userId, number }: Adoption,
): Promise<OwnNumberRecord> {
  const { phoneNumber, ref: carrierRef, isSmsCapable } = number;
  const known = await findAdopted(ctx, { account, userId, phoneNumber });
  if (known) return known;
  if ((await ctx.db.em.count(PhoneNumber, { phoneNumber })) > 0) throw fault('phone_number', wording.taken);
  await carrier.assignNumber(number, connection);
  const row = { userId, trunkId, phoneNumber, carrierRef, isSmsCapable, carrierAccountId: account.id };
  try {
    return await ctx.db.transaction((tx) => insertNumber(ctx, tx, { ...row, typeLabel: 'Normal' }));
  } catch (error) {
    if (!isUniqueViolation(error, 'phone_numbers_phone_number_unique')) throw error;
    const other = await findAdopted(ctx, { account, userId, phoneNumber });
    if (other) return other;
    throw fault('phone_number', wording.taken);
  }
}

/** @returns null for a number that is not a phone number of this user and account */
export async function findAdopted(
  ctx: CoreContext,
  about: { account: CarrierAccountRow; userId: number; phoneNumber: string },
): Promise<OwnNumberRecord | null> {
  const { account, userId, phoneNumber } = about;
  const row = await ctx.db.em.findOne(PhoneNumber, { phoneNumber, userId, carrierAccountId: account.id });
  if (!row) return null;
  const [record] = await describeNumbers(ctx.db, [row]);
  return record ?? null;
}

function fault(field: string, template: string): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: fieldFault(field, template) });
}
