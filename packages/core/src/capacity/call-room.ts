/**
 * How many calls may begin under the limits that are shared: lock, then count, each in a statement of its own. The locks
 * are Postgres advisory locks, held to the end of the transaction, and always taken in the order account, trunks by
 * their ids, fleet; a campaign's own lock comes before them, writing calls after them.
 */
import { json, sendTogether, statement, type Tx } from '@parley/db';
import { mayShare, trunkRoomOf, usableRoom, type TrunkRoom } from './call-limits.rules.ts';
import { isLimited, type Lines, type StoredLines, type StoredTrunk } from './load-lines.ts';

/** A shared limit, as `campaigns.held_by` stores it. */
export type GateKey = `account:${number}` | `trunk:${number}` | 'fleet';

/** What may still begin. Whoever begins a call says so with {@link takePlace}. */
export interface CallRoom {
  account: number;
  /** Calls that no campaign places wait for a voice process instead. */
  fleet: number;
  /** Limited trunks only. */
  trunks: Map<number, TrunkRoom>;
}

/** Who wants to begin calls. */
export interface RoomRequest {
  userId: number;
  lines: StoredLines;
  /** How many; at least 1. */
  wanted: number;
  at: Date;
  /** Calls that the fleet could carry if it carried none. */
  fleetCapacity: number;
}

interface Load {
  maxCalls: number;
  accountLive: number;
  fleetFree: number;
  /** By id, as text. */
  trunks: Record<string, { live: number; unsent: number; onTrial: number }>;
}

/** A process that drains, or whose lease has run out, brings no room, and its calls take none. */
const countLoad = statement<Load>(
  'call_load',
  `select u.max_calls, (select count(*) from live_calls where user_id = u.id) as account_live,
     (select coalesce(sum(capacity), 0) from voice_processes where not is_draining and lease_until > now())
       - (select count(*) from live_calls l where l.voice_process_id is null and l.type = 'outbound'
            or l.voice_process_id in (
              select id from voice_processes where not is_draining and lease_until > now())) as fleet_free,
     (select coalesce(jsonb_object_agg(id, carried), '{}') from (
        select t.id, jsonb_build_object('live', count(l.call_id),
          'unsent', count(l.call_id) filter (where l.type = 'outbound' and l.invite_sent_at is null),
          'onTrial', count(l.call_id) filter (
            where l.type = 'outbound' and l.answered_at is null
              and coalesce(l.invite_sent_at, 'infinity') >= t.paused_until)) as carried
        from trunks t left join live_calls l on l.trunk_id = t.id where t.id = any($2) group by t.id) c) as trunks
   from users u where u.id = $1`,
);
const lockGates = statement(
  'lock_call_gates',
  `select case when is_shared then pg_advisory_xact_lock_shared(hashtextextended('calls:' || key, 0))
     else pg_advisory_xact_lock(hashtextextended('calls:' || key, 0)) end
   from jsonb_to_recordset($1) as gates (key text, is_shared boolean)`,
);

/** How the limits are to be locked for calls to begin. */
interface GatePlan {
  request: RoomRequest;
  /** Those with room to spare, which others may hold as well. */
  shared: ReadonlySet<GateKey>;
}

/**
 * Limits that are far away, by a count that may have changed before {@link lockCallRoom}, which counts again. A small fleet
 * is never far from its own.
 */
export async function planGates(tx: Tx, request: RoomRequest): Promise<GatePlan> {
  const { userId, wanted } = request;
  if (!mayShare(request.fleetCapacity, wanted)) return { request, shared: new Set() };
  const guess = await countRoom(tx, request);
  const gates: [GateKey, number][] = [
    [`account:${userId}`, guess.account],
    ...[...guess.trunks].map(([id, { free }]): [GateKey, number] => [`trunk:${id}`, free]),
    ['fleet', guess.fleet],
  ];
  return { request, shared: new Set(gates.flatMap(([key, free]) => (mayShare(free, wanted) ? [key] : []))) };
}

/**
 * Room of which nobody else takes anything until the transaction ends. What is asked for together with this is answered
 * behind the locks.
 */
export async function lockCallRoom(tx: Tx, { request, shared }: GatePlan): Promise<CallRoom> {
  const keys: GateKey[] = [
    `account:${request.userId}`,
    ...limitedTrunks(request).map(({ id }): GateKey => `trunk:${id}`),
    'fleet',
  ];
  const [, room] = await sendTogether(tx, [
    (tx) => tx.query(lockGates, [json(keys.map((key) => ({ key, is_shared: shared.has(key) })))]),
    (tx) => countRoom(tx, request),
  ]);
  const usable = (key: GateKey, free: number): number => usableRoom(free, shared.has(key));
  for (const [id, trunk] of room.trunks) trunk.free = usable(`trunk:${id}`, trunk.free);
  return {
    account: usable(`account:${request.userId}`, room.account),
    fleet: usable('fleet', room.fleet),
    trunks: room.trunks,
  };
}

/** In the order of their locks. */
function limitedTrunks({ lines }: Pick<RoomRequest, 'lines'>): StoredTrunk[] {
  return lines.trunks.filter(isLimited).toSorted((a, b) => a.id - b.id);
}

/** For looking only: it may be taken at any moment. */
export async function readCallRoom(tx: Tx, request: Claimer): Promise<CallRoom> {
  return countRoom(tx, request);
}

type Claimer = Omit<RoomRequest, 'wanted' | 'fleetCapacity'>;

async function countRoom(tx: Tx, { userId, lines, at }: Claimer): Promise<CallRoom> {
  const limited = limitedTrunks({ lines });
  const [load] = await tx.query(countLoad, [userId, limited.map(({ id }) => id)]);
  if (!load) throw new Error('The owner of a call is gone');
  const trunks = new Map(
    limited.flatMap((trunk) => {
      const carried = load.trunks[trunk.id];
      return carried ? [[trunk.id, trunkRoomOf({ ...trunk, ...carried }, at)] as const] : [];
    }),
  );
  return { account: load.maxCalls - load.accountLive, fleet: load.fleetFree, trunks };
}

/** The lines as the room leaves them: a trunk without a place holds calls up. */
export function linesWithRoom(lines: StoredLines, room: CallRoom): Lines {
  const trunks = lines.trunks.map((trunk) => {
    const trunkRoom = room.trunks.get(trunk.id);
    return { ...trunk, hold: trunkRoom && trunkRoom.free <= 0 ? trunkRoom.hold : null };
  });
  return { trunks, numbers: lines.numbers };
}

/** One call begins. */
export function takePlace(room: CallRoom, trunkId: number): void {
  room.account -= 1;
  room.fleet -= 1;
  const trunk = room.trunks.get(trunkId);
  if (trunk) trunk.free -= 1;
}
