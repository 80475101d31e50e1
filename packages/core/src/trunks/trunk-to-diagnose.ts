/**
 * What the diagnosis of a trunk needs to know: its settings with the opened password, its registration, and how its latest
 * calls went. SQL: the calls are found by their SIP traces.
 */
import { readHostPort, type HostPort } from '@parley/contracts';
import {
  statement,
  Trunk,
  type SipTraceRow,
  type StoredMediaStats,
  type TrunkRow,
  type UserRow,
} from '@parley/db';
import { inviteStatusOf } from '../calls/sip-message.rules.ts';
import type { CoreContext } from '../context.ts';
import { sharedOrOwn } from '../lookups/shared-or-own.ts';
import { DomainError } from '../shared/domain-error.ts';
import { registrarsOf } from '../shared/registrars-of.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';
import { readRegistrations, type RegistrationState } from './registration-state.ts';

/** How an outbound call went on its trunk. */
export interface TracedCall {
  callId: number;
  /** The last final response to the INVITE, without challenges; null when none came. */
  sipStatus: number | null;
  /** Null for a call that was not answered. */
  media: StoredMediaStats | null;
}

/** Holds a password: never logged, never stored. */
export interface TrunkToDiagnose extends Pick<
  TrunkRow,
  'id' | 'host' | 'port' | 'transport' | 'tlsVerify' | 'username' | 'authUsername' | 'registers'
> {
  password: string | null;
  isOperators: boolean;
  /** Where it registers, or would: in the order of preference. */
  registrars: [HostPort, ...HostPort[]];
  otherHosts: HostPort[];
  /** Null for a trunk that does not register, and before the first attempt. */
  registration: RegistrationState | null;
  /** Newest first. */
  recent: TracedCall[];
  /** The test call; null when none is named, or when it did not use this trunk. */
  testCall: TracedCall | null;
}

const NOT_FOUND = 'SIP trunk not found';
/** Calls that are considered. */
const RECENT = 5;

const selectTrunk = statement<TrunkRow & { ownerRole: UserRow['role'] | null }>(
  'load_trunk_to_diagnose',
  `select t.*, u.role as owner_role from trunks t left join users u on u.id = t.user_id where t.id = $1`,
);
const selectCalls = statement<Pick<SipTraceRow, 'callId' | 'messages' | 'media'>>(
  'recent_traces_of_trunk',
  `select t.call_id, t.messages, t.media
   from sip_traces t join calls c on c.id = t.call_id and c.created_at = t.call_created_at
   where t.trunk_id = $1 and c.type = 'outbound' and ($2::bigint is null or t.call_id = $2)
   order by t.call_id desc limit ${RECENT}`,
);

/** @throws DomainError `not-found`, also for another user's trunk; `forbidden` for members when it is shared */
export async function requireTrunkToDiagnose(
  ctx: CoreContext,
  identity: Identity,
  trunkId: number,
): Promise<void> {
  const trunk = await ctx.db.em.findOne(Trunk, { id: trunkId, ...sharedOrOwn(identity.userId) });
  if (!trunk) throw new DomainError('not-found', NOT_FOUND);
  if (trunk.userId === null) requireOperator(identity);
}

/**
 * @param callId - of the test call, which belongs to the user who asks; null: none
 * @throws DomainError `not-found`
 */
export async function loadTrunkToDiagnose(
  ctx: CoreContext,
  { trunkId, callId }: { trunkId: number; callId: number | null },
): Promise<TrunkToDiagnose> {
  const [trunk] = await ctx.db.query(selectTrunk, [trunkId]);
  if (!trunk) throw new DomainError('not-found', NOT_FOUND);
  const { id, host, port, transport, tlsVerify, username, authUsername } = trunk;
  const { registers, passwordSealed } = trunk;
  const registrations = await readRegistrations(ctx.db, registers ? [id] : []);
  const recent = await tracedCalls(ctx, trunkId, null);
  const [testCall] = callId === null ? [] : await tracedCalls(ctx, trunkId, callId);
  return {
    id,
    host,
    port,
    transport,
    tlsVerify,
    username,
    authUsername,
    otherHosts: trunk.otherHosts.flatMap((one) => readHostPort(one) ?? []),
    registers,
    password: passwordSealed === null ? null : ctx.secretBox.open(passwordSealed),
    isOperators: trunk.userId === null || trunk.ownerRole === 'operator',
    registrars: registrarsOf(trunk),
    registration: registrations.get(id) ?? null,
    recent,
    testCall: testCall ?? null,
  };
}

async function tracedCalls(ctx: CoreContext, trunkId: number, callId: number | null): Promise<TracedCall[]> {
  const rows = await ctx.db.query(selectCalls, [trunkId, callId]);
  return rows.map((row) => ({
    callId: row.callId,
    media: row.media,
    sipStatus: inviteStatusOf(row.messages),
  }));
}
