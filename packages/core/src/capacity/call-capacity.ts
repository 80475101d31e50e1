/**
 * How many calls may begin under the shared limits: lock, then count, each in a statement of its own. The locks are
 * Postgres advisory locks, held to the end of the transaction and always taken in the order account, trunks by id,
 * fleet. The lock of a campaign comes before them, the insertion of calls after them.
 */
import { json, sendTogether, statement, type Tx } from '@parley/db';
import type { TrunkHold } from './route-call.rules.ts';
import { mayShare, trunkCapacityOf, usableSlots, type TrunkCapacity } from './call-limits.rules.ts';
import {
  isLimited,
  type RouteOptions,
  type StoredRouteOptions,
  type StoredTrunk,
} from './load-route-options.ts';

/** A shared limit, as `campaigns.held_by` stores it. */
export type LimitKey = `account:${number}` | `trunk:${number}` | 'fleet';

/** How many more calls may begin under each limit. The code that begins a call counts it with {@link takeSlot}. */
export interface CallCapacity {
  account: number;
  /** Limits calls of campaigns only; other calls wait for a voice process instead. */
  fleet: number;
  /** Limited trunks only. */
  trunks: Map<number, TrunkCapacity>;
}

/** For questions that no limit concerns. */
export const UNLIMITED_CAPACITY: CallCapacity = { account: Infinity, fleet: Infinity, trunks: new Map() };

/** The calls that are to begin. */
export interface CapacityRequest {
  userId: number;
  /** The trunks that may carry them. */
  routeOptions: Pick<StoredRouteOptions, 'trunks'>;
  /** Number of calls, at least 1. */
  wanted: number;
  at: Date;
  /** The sum of the capacities of all voice processes. */
  fleetCapacity: number;
}

interface Load {
  maxCalls: number;
  accountLive: number;
  fleetFree: number;
  /** Keyed by the id of the trunk, as text. */
  trunks: Record<string, { live: number; unsent: number; onTrial: number }>;
}

/**
 * A voice process that drains or whose lease has run out counts neither with its capacity nor with its calls. Callers who wait
 * in a queue take a channel of their trunk and no slot elsewhere.
 */
const countLoad = statement<Load>(
  'call_load',
  `select u.max_calls, (select count(*) from live_calls where user_id = u.id and queued_at is null) as account_live,
     (select coalesce(sum(least(capacity, admitted_calls)), 0)
        from voice_processes where not is_draining and lease_until > now())
       - (select count(*) from live_calls l where l.queued_at is null and (l.voice_process_id is null and l.type = 'outbound'
            or l.voice_process_id in (
              select id from voice_processes where not is_draining and lease_until > now()))) as fleet_free,
     (select coalesce(jsonb_object_agg(id, carried), '{}') from (
        select t.id, jsonb_build_object('live', count(l.call_id),
          'unsent', count(l.call_id) filter (where l.type = 'outbound' and l.invite_sent_at is null),
          'onTrial', count(l.call_id) filter (
            where l.type = 'outbound' and l.answered_at is null
              and coalesce(l.invite_sent_at, 'infinity') >= t.paused_until)) as carried
        from trunks t left join live_calls l on l.trunk_id = t.id where t.id = any($2) group by t.id) c) as trunks
   from users u where u.id = $1`,
);
const lockLimits = statement(
  'lock_call_limits',
  `select case when is_shared then pg_advisory_xact_lock_shared(hashtextextended('calls:' || key, 0))
     else pg_advisory_xact_lock(hashtextextended('calls:' || key, 0)) end
   from jsonb_to_recordset($1) as limits (key text, is_shared boolean)`,
);

/** Which limits of a request take a shared lock. */
interface LimitLockPlan {
  request: CapacityRequest;
  /** Limits with enough free slots that several transactions may hold the lock at once. */
  shared: ReadonlySet<LimitKey>;
}

/**
 * Decides which limits take a shared lock, from a count without locks. {@link lockCallCapacity} counts again under the
 * locks. A small fleet always takes exclusive locks.
 */
export async function planLimitLocks(tx: Tx, request: CapacityRequest): Promise<LimitLockPlan> {
  const { userId, wanted } = request;
  if (!mayShare(request.fleetCapacity, wanted)) return { request, shared: new Set() };
  const guess = await countCapacity(tx, request);
  const limits: [LimitKey, number][] = [
    [`account:${userId}`, guess.account],
    ...[...guess.trunks].map(([id, { free }]): [LimitKey, number] => [`trunk:${id}`, free]),
    ['fleet', guess.fleet],
  ];
  return { request, shared: new Set(limits.flatMap(([key, free]) => (mayShare(free, wanted) ? [key] : []))) };
}

/**
 * The free slots, which no other transaction can take until this one ends. Statements that are sent together with this
 * function run after the locks have been granted.
 */
export async function lockCallCapacity(tx: Tx, { request, shared }: LimitLockPlan): Promise<CallCapacity> {
  const keys: LimitKey[] = [
    `account:${request.userId}`,
    ...limitedTrunks(request).map(({ id }): LimitKey => `trunk:${id}`),
    'fleet',
  ];
  const [, counted] = await sendTogether(tx, [
    (tx) => tx.query(lockLimits, [json(keys.map((key) => ({ key, is_shared: shared.has(key) })))]),
    (tx) => countCapacity(tx, request),
  ]);
  const usable = (key: LimitKey, free: number): number => usableSlots(free, shared.has(key));
  for (const [id, trunk] of counted.trunks) trunk.free = usable(`trunk:${id}`, trunk.free);
  return {
    account: usable(`account:${request.userId}`, counted.account),
    fleet: usable('fleet', counted.fleet),
    trunks: counted.trunks,
  };
}

/** In the order in which they are locked. */
function limitedTrunks({ routeOptions }: Pick<CapacityRequest, 'routeOptions'>): StoredTrunk[] {
  return routeOptions.trunks.filter(isLimited).toSorted((a, b) => a.id - b.id);
}

/** The free slots at this moment, without locks: another transaction may take them at any time. */
export async function readCallCapacity(tx: Tx, request: Claimer): Promise<CallCapacity> {
  return countCapacity(tx, request);
}

type Claimer = Omit<CapacityRequest, 'wanted' | 'fleetCapacity'>;

async function countCapacity(tx: Tx, { userId, routeOptions, at }: Claimer): Promise<CallCapacity> {
  const limited = limitedTrunks({ routeOptions });
  const [load] = await tx.query(countLoad, [userId, limited.map(({ id }) => id)]);
  if (!load) throw new Error('The owner of a call no longer exists');
  const trunks = new Map(
    limited.flatMap((trunk) => {
      const carried = load.trunks[trunk.id];
      return carried ? [[trunk.id, trunkCapacityOf({ ...trunk, ...carried }, at)] as const] : [];
    }),
  );
  return { account: load.maxCalls - load.accountLive, fleet: load.fleetFree, trunks };
}

/** The route options with a hold on each trunk that has no free slot. */
export function routeOptionsWithin(
  routeOptions: StoredRouteOptions,
  { trunks: limits }: CallCapacity,
): RouteOptions {
  const trunks = routeOptions.trunks.map((trunk) => {
    const capacity = limits.get(trunk.id);
    const hold = capacity && capacity.free <= 0 ? capacity.hold : null;
    return { ...trunk, hold: spentHold(trunk) ?? hold };
  });
  return { ...routeOptions, trunks };
}

function spentHold({ id: trunkId, spentUntil: until }: StoredTrunk): TrunkHold | null {
  return until && { reason: 'daily_limit', until, trunkId };
}

/** Counts one call that begins. */
export function takeSlot(capacity: CallCapacity, trunkId: number): void {
  capacity.account -= 1;
  capacity.fleet -= 1;
  const trunk = capacity.trunks.get(trunkId);
  if (trunk) trunk.free -= 1;
}
