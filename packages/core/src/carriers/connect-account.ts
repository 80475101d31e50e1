/**
 * Sets up a SIP connection at the carrier and our trunk to it, by which calls go out and come in. Both use a new password.
 * Calls of either direction may be media streams instead (docs/carrier-media-streams.md). A repetition continues what was interrupted,
 * because the carrier's parts are found by their names.
 */
import { randomBytes } from 'node:crypto';
import {
  errorText,
  fieldFault,
  newTrunkBody,
  wording,
  type CarrierAccountRecord,
  type CarrierInboundWay,
  type CarrierOutboundWay,
  type NewTrunk,
} from '@parley/contracts';
import { PhoneNumber, Trunk, type CarrierAccountRow, type Transaction } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { addTrunkIn, changeTrunkIn } from '../trunks/trunks.ts';
import type { Identity } from '../users/identity.ts';
import { accountRecord, inboundWay, lockOwnAccount, outboundWayOf } from './accounts.ts';
import { carrierCallsUrl } from './answer-carrier-call.ts';
import { askCarrier, CARRIER_NAMES, findOwnAccount } from './open-carrier.ts';
import type { Connection, NewConnection } from './wire/carrier.ts';

const PASSWORD_BYTES = 18;

/** What the owner of an account chooses. */
export interface ConnectInput {
  id: number;
  /** For Twilio's calls over SIP: `host` or `host:port` of this installation. */
  sipAddress: string | null;
  /** Absent: as before, at first by the trunk. */
  inboundCalls?: CarrierInboundWay | undefined;
  /** The same for outbound calls. */
  outboundCalls?: CarrierOutboundWay | undefined;
}

/**
 * Numbers that were imported before are moved when calls are streamed, or were; an attempt that was interrupted is continued by
 * another one. Until then their calls come as before.
 *
 * @throws DomainError as `findOwnAccount` and `askCarrier`; `invalid` for Twilio without the address of this installation, and
 *   for media streams to an address that the carrier does not accept
 */
export async function connectCarrierAccount(
  ctx: CoreContext,
  identity: Identity,
  input: ConnectInput,
): Promise<CarrierAccountRecord> {
  const account = await findOwnAccount(ctx.db, identity, input.id);
  const { sipAddress } = input;
  const way = input.inboundCalls ?? inboundWay(account) ?? 'sip_trunk';
  const outboundWay = input.outboundCalls ?? outboundWayOf(account) ?? 'sip_trunk';
  if (way === 'media_stream' && sipAddress !== null)
    throw fault('sip_address', 'Media streams do not use a SIP address.');
  const streamed = (['inbound_calls', 'outbound_calls'] as const).filter(
    (field) => (field === 'inbound_calls' ? way : outboundWay) === 'media_stream',
  );
  const streamOrigin = streamed[0] === undefined ? null : requireStreamOrigin(ctx, account, streamed[0]);
  if (way === 'sip_trunk' && account.kind === 'twilio' && sipAddress === null)
    throw fault('sip_address', wording.required);
  const password = newPassword();
  const voiceUrl = streamOrigin === null ? null : carrierCallsUrl(streamOrigin, account.id);
  const streamsInbound = way === 'media_stream';
  const plan = { tag: account.tag, password, sipAddress, voiceUrl, streamsInbound };
  const made = await askCarrier(ctx, account, (carrier) => carrier.connect(plan));
  const record = await ctx.db.transaction(async (tx) => {
    const locked = await lockOwnAccount(tx, identity, input.id);
    const { trunkRef, messagingProfileRef, applicationRef = null } = made;
    const origin = streamOrigin ?? locked.connection?.streamOrigin;
    const streamKey = made.streamKey ?? locked.connection?.streamKey;
    locked.connection = {
      trunkRef,
      messagingProfileRef,
      applicationRef,
      outboundWay,
      ...(origin !== undefined && { streamOrigin: origin }),
      ...(streamKey !== undefined && { streamKey }),
    };
    locked.trunkId = await writeTrunk(ctx, tx, identity, { account: locked, made, password });
    return accountRecord(locked, identity);
  });
  if (streamOrigin !== null || account.connection?.streamOrigin !== undefined)
    await moveNumbers(ctx, account, made);
  return record;
}

/** @throws DomainError `invalid` */
function requireStreamOrigin(
  ctx: CoreContext,
  { kind }: CarrierAccountRow,
  field: 'inbound_calls' | 'outbound_calls',
): string {
  const { publicUrl, carrierUrls } = ctx;
  // A simulator on this machine has no certificate to check.
  const isAccepted = publicUrl?.startsWith('https:') || carrierUrls[kind] !== null;
  if (publicUrl !== null && isAccepted) return new URL(publicUrl).origin;
  const text = `${CARRIER_NAMES[kind]} streams calls only to an https address. Set PUBLIC_URL to that of this installation.`;
  throw fault(field, text);
}

/** Sends the calls of all numbers of an account to what was set up. */
async function moveNumbers(
  ctx: CoreContext,
  account: CarrierAccountRow,
  connection: Connection,
): Promise<void> {
  const rows = await ctx.db.em.find(
    PhoneNumber,
    { carrierAccountId: account.id },
    { orderBy: { id: 'asc' } },
  );
  await askCarrier(ctx, account, async (carrier) => {
    for (const { carrierRef: ref, phoneNumber, isSmsCapable } of rows)
      if (ref !== null) await carrier.assignNumber({ ref, phoneNumber, isSmsCapable }, connection);
  });
}

function fault(field: string, template: string): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: fieldFault(field, template) });
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
