/**
 * Whether and when a request is sent again. Only what changes nothing (GET) or carries an `Idempotency-Key` is
 * repeated, and only where another try can help. Pure.
 */

/** One try of a request and what came of it. */
export interface Attempt {
  /** From 1. */
  number: number;
  /** It changes nothing, or the server does it once however often it comes. */
  isRepeatable: boolean;
  /** Null: no answer. */
  status: number | null;
  /** What the answer asks for. */
  retryAfterSeconds: number | null;
}

/** How patient a client is. */
export interface RetryPolicy {
  /** Repetitions after the first try. */
  maxRetries: number;
  /** Who is told to wait longer gives up at once and hands the error on. */
  maxWaitSeconds: number;
}

/** Too many requests, and servers that are down or starting. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** A keyed request meets its own first try, whose answer was lost, still at work. */
const STILL_AT_WORK = 409;

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
  return PASSING_STATUSES.has(status) || (status === STILL_AT_WORK && number > 1);
}
