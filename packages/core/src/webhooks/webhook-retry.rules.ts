/** When a webhook that failed is tried again, and when it is given up. See API-DECISIONS.md, "Webhooks". */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the first failure, the second, ...; after the last of them the delivery has failed. Milliseconds. */
const WAITS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 5 * HOUR, 10 * HOUR, 24 * HOUR];

/** A wait is made longer by up to this share, so that what failed together does not return together. */
const JITTER = 0.2;

/** HTTP's "gone": the receiver wants no more. */
const GONE = 410;

/** What becomes of a delivery after an attempt. */
export type RetryDecision =
  | { status: 'delivered' | 'failed' | 'disabled' }
  | { status: 'pending'; waitMs: number };

/**
 * @param attempt - number of the attempt that was made, 1 for the first
 * @param httpStatus - null when no answer came
 * @param chance - 0 up to 1, for the jitter
 */
export function decideRetry(attempt: number, httpStatus: number | null, chance: number): RetryDecision {
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) return { status: 'delivered' };
  if (httpStatus === GONE) return { status: 'disabled' };
  const waitMs = WAITS_MS[attempt - 1];
  if (waitMs === undefined) return { status: 'failed' };
  return { status: 'pending', waitMs: Math.round(waitMs * (1 + JITTER * chance)) };
}
