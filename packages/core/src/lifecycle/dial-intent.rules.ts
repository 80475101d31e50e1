/**
 * What a worker does with a call that is to be dialed. The job may run many times and be killed anywhere; the intent
 * (Call-ID and process) that it finds decides. There is never a second INVITE for one attempt.
 * See docs/architecture.md, "One call, from request to webhook", step 4.
 */

/** What is known when the job runs. */
export interface DialSituation {
  isHangUpRequested: boolean;
  /** A voice process is stored with the call. */
  hasIntent: boolean;
  /** The INVITE was authorised. Whether it was sent is known to that process only. */
  isSent: boolean;
  /**
   * The process of the intent: `alive` holds its lease, `silent` has let it expire (it may still carry calls: the sweep
   * checks it), `gone` was fenced or has stopped.
   */
  process: 'alive' | 'silent' | 'gone';
  /** Since the call was placed, milliseconds. */
  waitedMs: number;
}

/** What the job has to do. */
export type HandOverDecision =
  /** Store an intent for a process with a free slot, and hand the call over. */
  | 'assign'
  /** Hand over to the process of the intent, which may not have received the call; a repetition is harmless. */
  | 'hand-over'
  /** A voice process is dialing the call. */
  | 'leave'
  /** The attempt counts as made, and has failed. */
  | 'fail-lost'
  /** A hang-up was requested, and no INVITE was sent. */
  | 'fail-cancelled'
  /** The call has waited so long for a voice process that it must not be dialed any more. */
  | 'fail-waited';

/** Longest time from the request to the INVITE, milliseconds. */
export const DIAL_WAIT_LIMIT_MS = 120_000;

/** Decides from stored values only, because each run of the job may be in another process. */
export function decideHandOver(situation: DialSituation): HandOverDecision {
  if (situation.isSent) return situation.process === 'gone' ? 'fail-lost' : 'leave';
  if (situation.isHangUpRequested) return 'fail-cancelled';
  if (situation.waitedMs >= DIAL_WAIT_LIMIT_MS) return 'fail-waited';
  if (situation.hasIntent && situation.process === 'alive') return 'hand-over';
  return 'assign';
}
