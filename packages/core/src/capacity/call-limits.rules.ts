/**
 * The limits that campaigns and single calls share: of an account, of a trunk, of the voice fleet. How many calls may
 * still begin under each, and whether counting needs an exclusive lock.
 */
import { trunkStateAt, type TrunkHealth } from './trunk-health.rules.ts';
import type { TrunkHold } from './route-call.rules.ts';

/** The limits of a trunk and the calls that it carries. */
export interface TrunkLoad extends TrunkHealth {
  id: number;
  maxCalls: number | null;
  /** INVITEs per second. */
  maxCps: number | null;
  /** Calls in both directions. */
  live: number;
  /** Outbound calls among them whose INVITE has not been sent. */
  unsent: number;
  /** Unanswered outbound calls among them whose INVITE was sent after the pause or has not been sent. */
  onTrial: number;
}

/** The free slots of a trunk, and the limit that determines them. */
export interface TrunkCapacity {
  free: number;
  hold: TrunkHold;
}

/** A trunk with a limit of calls per second has at most this many seconds of calls waiting; no more are claimed. */
const RATE_QUEUE_SECONDS = 2;
/** A trunk with that many calls waiting is checked again after this time. */
const RATE_PAUSE_MS = 1_000;

/** Applies the tightest of a trunk's limits. */
export function trunkCapacityOf(load: TrunkLoad, now: Date): TrunkCapacity {
  const { id: trunkId, maxCalls, maxCps, live, unsent } = load;
  const capacities: TrunkCapacity[] = [
    healthCapacity(load, now),
    { free: (maxCalls ?? Infinity) - live, hold: { reason: 'trunk_calls', until: null, trunkId } },
    {
      free: (maxCps ?? Infinity) * RATE_QUEUE_SECONDS - unsent,
      hold: { reason: 'trunk_rate', until: new Date(now.getTime() + RATE_PAUSE_MS), trunkId },
    },
  ];
  return capacities.reduce((tightest, one) => (one.free < tightest.free ? one : tightest));
}

function healthCapacity(load: TrunkLoad, now: Date): TrunkCapacity {
  const state = trunkStateAt(load, now);
  const until = state === 'paused' ? load.pausedUntil : null;
  const free = state === 'healthy' ? Infinity : state === 'paused' ? 0 : 1 - load.onTrial;
  return { free, hold: { reason: 'trunk_paused', until, trunkId: load.id } };
}

/** Upper bound of transactions that begin calls at the same time; Postgres has fewer connections. */
const MOST_CLAIMS_AT_ONCE = 128;
/** Upper bound of calls that one transaction begins under a shared lock. */
const SHARED_CLAIM = 4;
/** All transactions under a shared lock together begin fewer calls than this. */
const SHARED_RESERVE = MOST_CLAIMS_AT_ONCE * SHARED_CLAIM;

/**
 * Whether a limit has so many free slots that a claim may run in parallel with others. Near the limit claims take an
 * exclusive lock, which also waits for all shared ones, so that every count near the limit is exact.
 *
 * @param free - free slots, counted before the lock
 * @param wanted - calls that are to begin
 */
export function mayShare(free: number, wanted: number): boolean {
  return wanted <= SHARED_CLAIM && free >= 2 * SHARED_RESERVE;
}

/** @param free - counted under the lock; may be less than before it */
export function usableSlots(free: number, isShared: boolean): number {
  return isShared && free < SHARED_RESERVE ? 0 : Math.max(0, free);
}
