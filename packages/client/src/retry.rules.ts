/**
 * Decides whether and when a request is repeated: only GET requests and requests with an `Idempotency-Key`, and only
 * after failures that may be temporary.
 */

/** One try of a request and its result. */
export interface Attempt {
  /** From 1. */
  number: number;
  /** The request changes nothing, or the server ignores repetitions. */
  isRepeatable: boolean;
  /** Null: no response. */
  status: number | null;
  /** `Retry-After` of the response. */
  retryAfterSeconds: number | null;
}

/** The limits of repetition. */
export interface RetryPolicy {
  /** Repetitions after the first try. */
  maxRetries: number;
  /** With a longer `Retry-After` the error is passed on immediately. */
  maxWaitSeconds: number;
}

/** Rate limits, and servers that are down or starting. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** The first try, whose response was lost, is still running on the server. */
const STILL_RUNNING = 409;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/**
 * Milliseconds to wait before the next try, or null to give up.
 *
 * @param random - from 0 to 1; spreads the tries of many clients over the second half of the wait
 */
export function decideRetry(attempt: Attempt, policy: RetryPolicy, random: number): number | null {
  if (!attempt.isRepeatable || attempt.number > policy.maxRetries || !isPassing(attempt)) return null;
  if (attempt.retryAfterSeconds !== null)
    return attempt.retryAfterSeconds > policy.maxWaitSeconds ? null : attempt.retryAfterSeconds * 1000;
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt.number - 1));
  return Math.round(waitMs * (0.5 + random / 2));
}

function isPassing({ number, status }: Attempt): boolean {
  if (status === null) return true;
  return PASSING_STATUSES.has(status) || (status === STILL_RUNNING && number > 1);
}
