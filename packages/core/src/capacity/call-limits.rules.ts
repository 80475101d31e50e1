/**
 * The limits that calls of several campaigns, and calls of none, share: of an account, of a trunk, of the voice fleet.
 * How many calls may still begin under each, and how carefully it has to be counted.
 */
import { trunkStateAt, type TrunkHealth } from './trunk-health.rules.ts';
import type { LineHold } from './route-call.rules.ts';

/** A trunk's limits, and what it carries. */
export interface TrunkLoad extends TrunkHealth {
  id: number;
  maxCalls: number | null;
  /** INVITEs in a second. */
  maxCps: number | null;
  /** Calls on it, in both directions. */
  live: number;
  /** Of them, dials whose INVITE has not left. */
  unsent: number;
  /** Of them, dials that are not answered, and left after its pause or have yet to leave. */
  onTrial: number;
}

/** What a trunk still takes. `hold` says why not more than `free`. */
export interface TrunkRoom {
  free: number;
  hold: LineHold;
}

/** Dials may wait for their turn this long on a trunk with a rate; more are not claimed. */
const RATE_LINE_SECONDS = 2;
/** The next look at a trunk whose line of waiting dials is full. */
const RATE_PAUSE_MS = 1_000;

/** The tightest of a trunk's limits. */
export function trunkRoomOf(load: TrunkLoad, now: Date): TrunkRoom {
  const { id: trunkId, maxCalls, maxCps, live, unsent } = load;
  const rooms: TrunkRoom[] = [
    healthRoom(load, now),
    { free: (maxCalls ?? Infinity) - live, hold: { reason: 'trunk_calls', until: null, trunkId } },
    {
      free: (maxCps ?? Infinity) * RATE_LINE_SECONDS - unsent,
      hold: { reason: 'trunk_rate', until: new Date(now.getTime() + RATE_PAUSE_MS), trunkId },
    },
  ];
  return rooms.reduce((tightest, room) => (room.free < tightest.free ? room : tightest));
}

function healthRoom(load: TrunkLoad, now: Date): TrunkRoom {
  const state = trunkStateAt(load, now);
  const until = state === 'paused' ? load.pausedUntil : null;
  const free = state === 'healthy' ? Infinity : state === 'paused' ? 0 : 1 - load.onTrial;
  return { free, hold: { reason: 'trunk_paused', until, trunkId: load.id } };
}

/** No more transactions than this begin calls at the same time; Postgres has fewer connections. */
const MOST_CLAIMS_AT_ONCE = 128;
/** So many calls may be begun under a shared lock. */
const SHARED_CLAIM = 4;
/** However many begin calls under the shared lock, together they stay below this. */
const SHARED_ROOM = MOST_CLAIMS_AT_ONCE * SHARED_CLAIM;

/**
 * Whether a limit is far enough away that a claim may run beside others. Near it claims go one after the other; whoever
 * waits for that waits for all that run beside each other too, so that every count near the limit is exact.
 *
 * @param free - before the lock
 * @param wanted - calls that are to begin
 */
export function mayShare(free: number, wanted: number): boolean {
  return wanted <= SHARED_CLAIM && free >= 2 * SHARED_ROOM;
}

/** @param free - counted under the lock; it may have shrunk meanwhile */
export function usableRoom(free: number, isShared: boolean): number {
  return isShared && free < SHARED_ROOM ? 0 : Math.max(0, free);
}
