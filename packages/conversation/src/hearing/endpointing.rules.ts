/**
 * When the caller's turn is over: a silence long enough (`turn-end.rules.ts` says how long), counted from the last
 * window that was speech and not from the detector's own decision, and the words settled if someone recognises them.
 */
import type { CallerActivity } from './caller-activity.rules.ts';
import { inputText, type CallerInput } from './caller-input.rules.ts';
import { turnEndWait, type TurnEndPolicy } from './turn-end.rules.ts';

/**
 * After so much silence the turn is over whatever the recogniser still owes, so that a caller never hears nothing for
 * 4 s: the reply gets what is left of them. Words that come later still change it.
 */
const WORDS_OVERDUE_MS = 3000;
/** An owner who waits long gives the recogniser at least this much beyond it. */
const WORDS_AFTER_WAIT_MS = 500;
/** Keys pressed closer together belong to one answer; `#` ends it at once. */
const KEY_WAIT_MS = 1000;
/** An interim that has not changed for so long may stand for a final that is overdue. */
const STABLE_INTERIM_MS = 200;
/** The detector answers this much later than the sound; if it lags further, we wait for it rather than cut a word. */
const DETECTOR_LAG_MS = 100;
/** Sound so long without a word that a recogniser would know, or so long without anybody who could, is no speech. */
const WORDLESS_MS = 30_000;

/** How turns end. */
export interface EndpointPolicy extends TurnEndPolicy {
  /** Null where nobody recognises words; a turn is then only known to have been speech. */
  recogniser: { finalWithinMs: number; isSemantic: boolean; isModel: boolean } | null;
}

/** All a decision looks at. */
export interface EndpointView {
  activity: CallerActivity;
  input: CallerInput;
  policy: EndpointPolicy;
  /** Typical pause of this caller within a turn; null while not known. */
  usualPauseMs: number | null;
}

/** Whether the caller's turn is over at `nowMs`. */
export function isTurnOver(view: EndpointView, nowMs: number): boolean {
  const { activity, input } = view;
  if (activity.isSpeaking) return false;
  if (input.keys.endsWith('#')) return true;
  if (input.keys !== '' && nowMs - input.lastKeyMs < KEY_WAIT_MS) return false;
  if (input.speechMs === 0) return true;
  if (areWordsOverdue(view, nowMs)) return true;
  const waitMs = waitOf(view);
  const mustBeAnalysedMs = activity.lastSpeechMs + waitMs - DETECTOR_LAG_MS;
  if (nowMs - activity.lastSpeechMs < waitMs || activity.analysedMs < mustBeAnalysedMs) return false;
  return areWordsSettled(view, nowMs);
}

/** Whether nobody waits for the recogniser, or the detector, any longer. */
export function areWordsOverdue(view: EndpointView, nowMs: number): boolean {
  const limitMs = Math.max(WORDS_OVERDUE_MS, waitOf(view) + WORDS_AFTER_WAIT_MS);
  return nowMs - view.activity.lastSpeechMs >= limitMs;
}

/** Whether what goes on and on can no longer be a person speaking: music on hold, a machine, a radio. */
export function isWordless({ input }: Pick<EndpointView, 'input'>, nowMs: number): boolean {
  const lastWordsMs = Math.max(input.interimSinceMs, input.lastFinal?.atMs ?? 0);
  return input.startedMs !== null && nowMs - Math.max(input.startedMs, lastWordsMs) >= WORDLESS_MS;
}

function waitOf({ input, policy, usualPauseMs }: EndpointView): number {
  return turnEndWait({ text: inputText(input), doneConfidence: input.doneConfidence, usualPauseMs }, policy);
}

function areWordsSettled(view: EndpointView, nowMs: number): boolean {
  const { input, policy } = view;
  const { finalisedMs } = input;
  if (policy.recogniser === null || policy.recogniser.isModel || hasCoveringFinal(view)) return true;
  if (finalisedMs === null || nowMs - finalisedMs < policy.recogniser.finalWithinMs) return false;
  if (inputText(input) === '') return false;
  return input.interim === '' || nowMs - input.interimSinceMs >= STABLE_INTERIM_MS;
}

/** Whether the newest final came after the last speech, and speaks of it. */
export function hasCoveringFinal({ activity, input }: Pick<EndpointView, 'activity' | 'input'>): boolean {
  const final = input.lastFinal;
  if (final === null || final.atMs < activity.lastSpeechMs) return false;
  return final.endMs === null || final.endMs > activity.startedMs;
}
