/**
 * When the caller's turn is over: silence of the configured length, counted from the last window that was speech and
 * not from the detector's own decision, and the words settled if someone recognises them.
 */
import type { CallerActivity } from './caller-activity.rules.ts';
import { inputText, type CallerInput } from './caller-input.rules.ts';

/** After so much silence the turn is over whatever the recogniser still owes. */
const ENDPOINT_HARD_STOP_MS = 5000;
/** Keys pressed closer together belong to one answer; `#` ends it at once. */
const KEY_WAIT_MS = 1000;
/** An interim that has not changed for so long may stand for a final that is overdue. */
const STABLE_INTERIM_MS = 200;
/** The detector answers this much later than the sound; if it lags further, we wait for it rather than cut a word. */
const DETECTOR_LAG_MS = 100;

/** How turns end. */
export interface EndpointPolicy {
  endpointWaitMs: number;
  /** Null where nobody recognises words; a turn is then only known to have been speech. */
  recogniser: { finalWithinMs: number } | null;
}

/** All a decision looks at. */
export interface EndpointView {
  activity: CallerActivity;
  input: CallerInput;
  policy: EndpointPolicy;
}

/** Whether the caller's turn is over at `nowMs`. */
export function isTurnOver(view: EndpointView, nowMs: number): boolean {
  const { activity, input, policy } = view;
  if (activity.isSpeaking) return false;
  if (input.keys.endsWith('#')) return true;
  if (input.keys !== '' && nowMs - input.lastKeyMs < KEY_WAIT_MS) return false;
  if (input.speechMs === 0) return true;
  const silenceMs = nowMs - activity.lastSpeechMs;
  if (silenceMs >= ENDPOINT_HARD_STOP_MS) return true;
  const mustBeAnalysedMs = activity.lastSpeechMs + policy.endpointWaitMs - DETECTOR_LAG_MS;
  if (silenceMs < policy.endpointWaitMs || activity.analysedMs < mustBeAnalysedMs) return false;
  return areWordsSettled(view, nowMs);
}

function areWordsSettled(view: EndpointView, nowMs: number): boolean {
  const { input, policy } = view;
  const { finalisedMs } = input;
  if (policy.recogniser === null || hasCoveringFinal(view)) return true;
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
