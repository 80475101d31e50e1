/**
 * When a trunk whose calls mostly fail is paused, and when it is used normally again.
 *
 * - healthy: `pauseSeconds` is 0. Left after a fault, when most of its last calls were faults.
 * - paused: nothing is dialed on it until `pausedUntil`.
 * - on trial: the pause is over; one call at a time is dialed until one has begun. If it succeeds the trunk is healthy,
 *   otherwise the next pause is twice as long.
 */

/** The stored health of a trunk. */
export interface TrunkHealth {
  pausedUntil: Date | null;
  /** The last pause; 0: healthy. */
  pauseSeconds: number;
}

/** How a call began. */
export interface TrunkOutcome {
  isFault: boolean;
  /** When its INVITE was sent, or was given up: a call from before the pause does not count for the trial. */
  sentAt: Date;
}

/** The recent outcomes, including this one. */
export interface RecentOutcomes {
  calls: number;
  faults: number;
}

/** Older outcomes do not count, milliseconds. */
export const OUTCOME_MEMORY_MS = 300_000;
/** At most this many of the latest outcomes count. */
export const OUTCOMES_JUDGED = 20;
const FEWEST_TO_JUDGE = 10;
const SHARE_OF_FAULTS = 0.5;
const FIRST_PAUSE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 600;

/** The state of a trunk. */
export function trunkStateAt(health: TrunkHealth, now: Date): 'healthy' | 'paused' | 'on-trial' {
  if (health.pauseSeconds === 0) return 'healthy';
  return health.pausedUntil !== null && now < health.pausedUntil ? 'paused' : 'on-trial';
}

/** @returns the health after an outcome; null: nothing changes */
export function healthAfter(
  health: TrunkHealth,
  { isFault, sentAt }: TrunkOutcome,
  { recent, now }: { recent: RecentOutcomes; now: Date },
): TrunkHealth | null {
  switch (trunkStateAt(health, now)) {
    case 'paused':
      return null;
    case 'on-trial':
      if (health.pausedUntil !== null && sentAt < health.pausedUntil) return null;
      return isFault ? pause(health.pauseSeconds * 2, now) : { pausedUntil: null, pauseSeconds: 0 };
    case 'healthy':
      return isFault && isMostlyFailing(recent) ? pause(FIRST_PAUSE_SECONDS, now) : null;
  }
}

function isMostlyFailing({ calls, faults }: RecentOutcomes): boolean {
  return calls >= FEWEST_TO_JUDGE && faults / calls > SHARE_OF_FAULTS;
}

function pause(wantedSeconds: number, now: Date): TrunkHealth {
  const pauseSeconds = Math.min(wantedSeconds, LONGEST_PAUSE_SECONDS);
  return { pauseSeconds, pausedUntil: new Date(now.getTime() + pauseSeconds * 1000) };
}
