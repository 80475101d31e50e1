/** SIP trunks: a user's own, and the shared ones, which operators manage. Passwords are stored sealed and never returned. */
import { isDeepStrictEqual } from 'node:util';
import {
  changesInOwnTerms,
  errorText,
  fieldFault,
  wording,
  type FamilyTrunkChanges,
  type NewTrunk,
  type TrunkChanges,
  type TrunkRecord,
} from '@parley/contracts';
import { statement, Trunk, type Transaction, type TrunkRow, type Tx } from '@parley/db';
import { wakeNextHeld } from '../capacity/campaign-hold.ts';
import { now, type CoreContext } from '../context.ts';
import { lockRunningCampaigns } from '../dialing/campaign-rows.ts';
import { retryWaitingLeads } from '../dialing/dial-queue.ts';
import { sharedOrOwn } from '../lookups/shared-or-own.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { readCountry } from '../users/number-country.ts';
import { requireOperator } from '../users/require-operator.ts';
import { namingSentFields } from './naming-sent-fields.ts';
import { lockOwnTrunk } from './own-trunk.ts';
import { readOwnNumber } from './read-own-number.ts';
import { resetRegistration } from './registration-lease.ts';
import { readRegistrations } from './registration-state.ts';
import {
  refuseWithoutTls,
  refusePrivateHosts,
  requireAccountToRegister,
  requirePasswordForNewHost,
  requireCountryOfNumbers,
  requireUsername,
} from './trunk-hosts.ts';
import { trunkRecord } from './trunk-record.ts';
import { requireBelowMaximum } from '../users/require-below-maximum.ts';

/** The user's own and the shared ones. */
export async function listTrunks(ctx: CoreContext, identity: Identity): Promise<TrunkRecord[]> {
  const rows = await ctx.db.em.find(Trunk, sharedOrOwn(identity.userId), { orderBy: { id: 'asc' } });
  return recordsOf(ctx, identity, rows);
}

/** @throws DomainError `not-found`, also when it has another owner */
export async function findTrunk(ctx: CoreContext, identity: Identity, id: number): Promise<TrunkRecord> {
  const rows = await ctx.db.em.find(Trunk, { id, ...sharedOrOwn(identity.userId) });
  const [record] = await recordsOf(ctx, identity, rows);
  if (!record) throw new DomainError('not-found', 'SIP trunk not found');
  return record;
}

async function recordsOf(
  ctx: CoreContext,
  identity: Identity,
  rows: readonly TrunkRow[],
): Promise<TrunkRecord[]> {
  const registering = rows.filter(({ registers }) => registers).map(({ id }) => id);
  const registrations = await readRegistrations(ctx.db, registering);
  return rows.map((row) =>
    trunkRecord(row, identity, { at: now(ctx), registration: registrations.get(row.id) }),
  );
}

/** @throws DomainError `forbidden` when a member adds a shared trunk; `invalid` for an impossible caller number, country or host */
export async function addTrunk(
  ctx: CoreContext,
  identity: Identity,
  input: NewTrunkOrLine,
): Promise<TrunkRecord> {
  return ctx.db.transaction((tx) => addTrunkIn(ctx, tx, identity, input));
}

/** A new trunk, which may be one line: see the column `is_one_line`. */
type NewTrunkOrLine = NewTrunk & { isOneLine?: boolean };

/**
 * The maximum of trunks of one user: each call examines all of them, and each one that registers keeps a voice
 * process busy.
 */
const MAX_TRUNKS = 500;

async function requireTrunksBelowMaximum(tx: Transaction, userId: number): Promise<void> {
  const added = { userId, most: MAX_TRUNKS, what: 'SIP trunks', field: 'name' };
  await requireBelowMaximum(tx, added, () => tx.em.count(Trunk, { userId }));
}

/** SQL, because it is a sequence. Ids of lines are above those of all phone numbers. */
const nextLineId = statement<{ id: number }>('next_line_trunk_id', `select nextval('line_trunk_ids') as id`);

/** @throws DomainError as {@link addTrunk} */
export async function addTrunkIn(
  ctx: CoreContext,
  tx: Transaction,
  identity: Identity,
  input: NewTrunkOrLine,
): Promise<TrunkRecord> {
  if (input.is_shared) requireOperator(identity);
  const { name, host, transport, reach } = input;
  const required = { name, host, transport, reach };
  const sent = await readSettings(ctx, tx, identity, input);
  refuseNewLimits(identity, DEFAULTS, sent);
  const userId = input.is_shared ? null : identity.userId;
  if (userId !== null) await requireTrunksBelowMaximum(tx, userId);
  const settings = { ...DEFAULTS, ...required, ...sent };
  requireUsername(settings);
  requireCountryOfNumbers(settings);
  requireAccountToRegister(settings);
  refuseWithoutTls(settings);
  const [line] = input.isOneLine === true ? await tx.query(nextLineId) : [];
  const isOneLine = line !== undefined;
  const trunk = tx.em.create(Trunk, { ...settings, ...line, isOneLine, userId, createdAt: now(ctx) });
  await tx.em.flush();
  await retryLeadsOf(ctx, tx, userId);
  return trunkRecord(trunk, identity, { at: now(ctx), registration: undefined });
}

/**
 * Calls in progress stay on the trunk as it was.
 *
 * @throws DomainError as `lockOwnTrunk` and {@link addTrunk}; `invalid` for a new host without the password
 */
export async function changeTrunk(
  ctx: CoreContext,
  identity: Identity,
  input: TrunkChanges & { id: number },
): Promise<TrunkRecord> {
  return ctx.db.transaction((tx) => changeTrunkIn(ctx, tx, identity, input));
}

/**
 * A change in our terms or in those of other products of the API family. What has not changed since it was read is ignored,
 * because clients send back whole records.
 *
 * @throws DomainError as {@link changeTrunk}; `invalid` for a type or a number that would change
 */
export async function changeTrunkInEitherTerms(
  ctx: CoreContext,
  identity: Identity,
  { id, ...body }: TrunkChanges & FamilyTrunkChanges & { id: number },
): Promise<TrunkRecord> {
  const change = async (tx: Transaction): Promise<TrunkRecord> => {
    const trunk = await lockOwnTrunk(tx, identity, id);
    const result = changesInOwnTerms(
      body,
      trunkRecord(trunk, identity, { at: now(ctx), registration: undefined }),
    );
    if ('changes' in result) return changeTrunkIn(ctx, tx, identity, { ...result.changes, id });
    const faults = result.refused.map((name) => fieldFault(name, wording.selected));
    throw new DomainError('invalid', errorText.invalidData, { fields: Object.assign({}, ...faults) });
  };
  return namingSentFields(body, () => ctx.db.transaction(change));
}

/** @throws DomainError as {@link changeTrunk} */
export async function changeTrunkIn(
  ctx: CoreContext,
  tx: Transaction,
  identity: Identity,
  input: TrunkChanges & { id: number },
): Promise<TrunkRecord> {
  const trunk = await lockOwnTrunk(tx, identity, input.id);
  requirePasswordForNewHost(trunk, input);
  // A change may have repaired the trunk, so its pause ends.
  const settings = await readSettings(ctx, tx, identity, input);
  refuseNewLimits(identity, trunk, settings);
  const isNew = (name: keyof TrunkSettings): boolean =>
    settings[name] !== undefined && !isDeepStrictEqual(settings[name], trunk[name]);
  if (CONNECTION.some(isNew)) trunk.firstSuccessAt = null;
  if (ACCOUNT.some(isNew)) await resetRegistration(tx, trunk.id);
  Object.assign(trunk, settings, HEALTHY);
  requireUsername(trunk);
  requireCountryOfNumbers(trunk);
  requireAccountToRegister(trunk);
  refuseWithoutTls(trunk);
  await wakeNextHeld(tx, [`trunk:${trunk.id}`]);
  if (input.reach !== undefined) await retryLeadsOf(ctx, tx, trunk.userId);
  const registrations = await readRegistrations(tx, [trunk.id]);
  return trunkRecord(trunk, identity, { at: now(ctx), registration: registrations.get(trunk.id) });
}

/** Leads that no trunk reached are due now. @param userId - of the trunk; null: it is shared */
async function retryLeadsOf(ctx: CoreContext, tx: Tx, userId: number | null): Promise<void> {
  // A claim that has read the old trunks commits first.
  await lockRunningCampaigns(tx, userId);
  await retryWaitingLeads(tx, { reason: 'no_line', userId, at: now(ctx) });
}

/** The columns that an owner writes. */
type TrunkSettings = Pick<
  TrunkRow,
  | 'name'
  | 'host'
  | 'port'
  | 'otherHosts'
  | 'priority'
  | 'transport'
  | 'tlsVerify'
  | 'mediaEncryption'
  | 'codecs'
  | 'username'
  | 'authUsername'
  | 'passwordSealed'
  | 'reach'
  | 'callerNumber'
  | 'defaultCountry'
  | 'maxCalls'
  | 'maxCps'
  | 'maxCallsPerSecond'
  | 'maxCallsPerDay'
  | 'maxCostPerDay'
  | 'rtpTimeoutSeconds'
  | 'dtmf'
  | 'numberFormat'
  | 'inboundCallerSource'
  | 'inboundCalledSource'
  | 'outboundCallerHeader'
  | 'incomingRefer'
  | 'fromUser'
  | 'fromName'
  | 'registers'
  | 'registrar'
  | 'registerExpires'
>;

const HEALTHY = { pausedUntil: null, pauseSeconds: 0 };
/** What a call must reach; after a change of these the trunk has to prove itself again. */
const CONNECTION = [
  'host',
  'port',
  'otherHosts',
  'transport',
  'tlsVerify',
  'mediaEncryption',
  'username',
  'authUsername',
  'passwordSealed',
] as const;
/** What a registration proves. */
const ACCOUNT = [...CONNECTION, 'registrar', 'registers'] as const;
const DEFAULTS = {
  ...HEALTHY,
  firstSuccessAt: null,
  tlsVerify: true,
  mediaEncryption: 'none' as const,
  codecs: [],
  port: null,
  otherHosts: [],
  priority: 50,
  username: null,
  authUsername: null,
  passwordSealed: null,
  callerNumber: null,
  defaultCountry: null,
  maxCalls: null,
  maxCps: null,
  maxCallsPerSecond: null,
  maxCallsPerDay: null,
  maxCostPerDay: null,
  rtpTimeoutSeconds: null,
  dtmf: 'auto' as const,
  numberFormat: 'e164' as const,
  inboundCallerSource: 'from' as const,
  inboundCalledSource: 'request_uri' as const,
  outboundCallerHeader: 'from' as const,
  incomingRefer: 'refused' as const,
  fromUser: null,
  fromName: null,
  registers: false,
  registrar: null,
  registerExpires: 300,
  nextInviteAt: null,
  isTest: false,
};

/** Only what was sent. */
async function readSettings(
  ctx: CoreContext,
  tx: Tx,
  identity: Identity,
  input: TrunkChanges,
): Promise<Partial<TrunkSettings>> {
  refusePrivateHosts(ctx, identity, input);
  const { password, caller_number: text } = input;
  const number = { userId: identity.userId, field: 'caller_number' };
  return withoutUndefined({
    name: input.name?.trim(),
    host: input.host,
    port: input.port,
    otherHosts: input.other_hosts,
    priority: input.priority,
    transport: input.transport,
    tlsVerify: input.tls_verify,
    mediaEncryption: input.media_encryption,
    codecs: input.codecs,
    username: input.username,
    authUsername: input.auth_username,
    passwordSealed: password == null ? password : ctx.secretBox.seal(password),
    reach: input.reach,
    callerNumber: text == null ? text : await readOwnNumber(tx, { ...number, text }),
    defaultCountry: readCountry(input.default_country),
    maxCalls: input.max_calls,
    maxCps: input.max_cps,
    maxCallsPerSecond: input.max_calls_per_second,
    maxCallsPerDay: input.max_calls_per_day,
    maxCostPerDay: input.max_cost_per_day,
    rtpTimeoutSeconds: input.rtp_timeout_seconds,
    dtmf: input.dtmf,
    numberFormat: input.number_format,
    inboundCallerSource: input.inbound_caller_source,
    inboundCalledSource: input.inbound_called_source,
    outboundCallerHeader: input.outbound_caller_header,
    incomingRefer: input.incoming_refer,
    fromUser: input.from_user,
    fromName: input.from_name,
    registers: input.registers,
    registrar: input.registrar,
    registerExpires: input.register_expires,
  });
}

const OPERATOR_LIMITS = ['maxCallsPerSecond', 'maxCallsPerDay', 'maxCostPerDay'] as const;
type OperatorLimits = Pick<TrunkRow, (typeof OPERATOR_LIMITS)[number]>;

/** Members may send back what they have read, also of their own trunks, whose limits they must not raise. */
function refuseNewLimits(identity: Identity, stored: OperatorLimits, sent: Partial<OperatorLimits>): void {
  if (OPERATOR_LIMITS.some((name) => sent[name] !== undefined && sent[name] !== stored[name]))
    requireOperator(identity);
}

type Sent<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function withoutUndefined<Fields extends object>(fields: Fields): Sent<Fields> {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Sent<Fields>;
}
