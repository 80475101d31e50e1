/** When a webhook that failed is tried again, and when it is given up. See docs/api.md, "Webhooks". */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the first failure, the second, and so on, milliseconds. After the last one the delivery has failed. */
const WAITS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 5 * HOUR, 10 * HOUR, 24 * HOUR];

/** Sent once only: before another attempt the call would already have been answered. */
const SENT_ONCE: readonly string[] = ['call.incoming'];

/** A wait is extended by up to this share, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;

/** 410 Gone: the receiver asks for no more deliveries. */
const GONE = 410;

/** An attempt and its answer. */
export interface MadeAttempt {
  event: string;
  /** The number of the attempt in the present schedule, from 1. */
  number: number;
  /** Null without an answer. */
  httpStatus: number | null;
}

/** The consequence of an attempt. */
export type RetryDecision =
  | { status: 'delivered' }
  | { status: 'failed'; reason: 'tries_used_up' }
  | { status: 'disabled'; reason: 'gone' }
  | { status: 'pending'; waitMs: number };

/** @param chance - from 0 to 1, for the jitter */
export function decideRetry({ event, number, httpStatus }: MadeAttempt, chance: number): RetryDecision {
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) return { status: 'delivered' };
  if (httpStatus === GONE) return { status: 'disabled', reason: 'gone' };
  const waitMs = SENT_ONCE.includes(event) ? undefined : WAITS_MS[number - 1];
  if (waitMs === undefined) return { status: 'failed', reason: 'tries_used_up' };
  return { status: 'pending', waitMs: Math.round(waitMs * (1 + JITTER * chance)) };
}
