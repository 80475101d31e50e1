/**
 * When a caller who speaks over the assistant gets the floor. Two stages: at the first speech playout only pauses
 * (`turn-speaking.rules.ts`); this file says whether that speech is an interruption. Until it is, the paused sound can
 * go on as if nothing had happened.
 */
import { segmentMs, type CallerActivity } from './caller-activity.rules.ts';

/** Not confirmed so long after the end of the speech: a cough, a "mm-hm". The assistant goes on. */
const FALSE_BARGE_IN_MS = 2000;
/** Speech without a pause counts without words too; nobody waits in silence for a recogniser. */
const CERTAIN_AFTER_MS = 5000;

/** What counts as an interruption. */
export interface BargeInPolicy {
  /** Speech of at least this length. */
  interruptAfterMs: number;
  /** And at least so many words; 0 where words are not asked for or not known in time. */
  minInterruptWords: number;
}

/** @param words - how many words were recognised so far since the caller began */
export function isInterruption(activity: CallerActivity, words: number, policy: BargeInPolicy): boolean {
  const lengthMs = segmentMs(activity);
  if (lengthMs >= Math.max(CERTAIN_AFTER_MS, policy.interruptAfterMs)) return true;
  return lengthMs >= policy.interruptAfterMs && words >= policy.minInterruptWords;
}

/** Whether the speech that paused the assistant is over and was no interruption. */
export function isFalseBargeIn(activity: CallerActivity, nowMs: number): boolean {
  return !activity.isSpeaking && nowMs - activity.lastSpeechMs >= FALSE_BARGE_IN_MS;
}
