/**
 * What a worker does with a call that is to be dialed. The job may run many times and be killed anywhere; the intent
 * (Call-ID and process) that it finds decides. There is never a second INVITE for one attempt.
 * See docs/architecture.md, "One call, from request to webhook", step 4.
 */

/** What is known when the job runs. */
export interface DialSituation {
  isHangUpRequested: boolean;
  /** A process is written beside the call. */
  hasIntent: boolean;
  /** Voice was allowed to send the INVITE. Whether it left, only that process knows. */
  isSent: boolean;
  /**
   * The process of the intent: `alive` holds its lease, `silent` has let it run out (it may still be talking: the sweep
   * asks it), `gone` was fenced or has stopped.
   */
  process: 'alive' | 'silent' | 'gone';
  /** Since the call was placed, milliseconds. */
  waitedMs: number;
}

/** What the job has to do. */
export type HandOverDecision =
  /** Write an intent for a process with room, and hand over. */
  | 'assign'
  /** The process of the intent may not have heard of it; handing over twice is harmless. */
  | 'hand-over'
  /** Somebody else is at it. */
  | 'leave'
  /** The attempt counts as made, and has failed. */
  | 'fail-lost'
  /** Nobody wants the call any more, and nothing has left. */
  | 'fail-cancelled'
  /** Nobody took the call for so long that dialing now would surprise everybody. */
  | 'fail-waited';

/** Longest time from the request to the INVITE, milliseconds. */
export const DIAL_WAIT_LIMIT_MS = 120_000;

/** Decides from what is written down, never from memory: the job may be another one than last time. */
export function decideHandOver(situation: DialSituation): HandOverDecision {
  if (situation.isSent) return situation.process === 'gone' ? 'fail-lost' : 'leave';
  if (situation.isHangUpRequested) return 'fail-cancelled';
  if (situation.waitedMs >= DIAL_WAIT_LIMIT_MS) return 'fail-waited';
  if (situation.hasIntent && situation.process === 'alive') return 'hand-over';
  return 'assign';
}
