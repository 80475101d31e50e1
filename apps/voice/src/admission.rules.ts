/**
 * How many calls a voice process takes for the present: docs/decisions/admission.md. Its capacity says how many calls it
 * can carry; a process that has just started, or whose machine is overloaded, cannot begin that many within a second.
 */

/** Calls that may begin between two renewals of the lease. */
const MOST_NEW_CALLS = 12;
/**
 * Above this delay of the event loop nine times in ten, packets, answers of recognisers and the lease are late, and a new
 * call would make all of them later, milliseconds.
 */
const OVERLOADED_MS = 100;

/** The state of a process. */
export interface Carried {
  /** Concurrent calls by the configuration. */
  capacity: number;
  activeCalls: number;
  /** The 90th percentile since the last decision, milliseconds. */
  loopDelayMs: number;
}

/** @returns concurrent calls, at most the capacity */
export function admittedCalls({ capacity, activeCalls, loopDelayMs }: Carried): number {
  const isOverloaded = loopDelayMs > OVERLOADED_MS;
  return Math.min(capacity, isOverloaded ? activeCalls : activeCalls + MOST_NEW_CALLS);
}
