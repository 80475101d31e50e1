/**
 * When the caller's turn is over: after enough silence (`turn-end.rules.ts`), counted from the last window with speech and
 * not from the detector's decision, and once the words are final if there is a recogniser.
 */
import type { Asked } from './asked.rules.ts';
import type { CallerActivity } from './caller-activity.rules.ts';
import { inputText, type CallerInput } from './caller-input.rules.ts';
import { turnEndWait, type TurnEndPolicy } from './turn-end.rules.ts';

/**
 * After this much silence the turn is over even without a final, so that the caller never waits in silence for 4 s: the
 * reply gets the rest of that time. Words that arrive later still change the reply.
 */
const WORDS_OVERDUE_MS = 3000;
/** With a long `endpoint_sensitivity`, the recogniser gets at least this much time beyond it. */
const WORDS_AFTER_WAIT_MS = 500;
/** Keys pressed closer together belong to one answer; `#` ends it at once. */
const KEY_WAIT_MS = 1000;
/** An interim result that has been stable for this long may replace an overdue final. */
const STABLE_INTERIM_MS = 200;
/** The usual delay of the detector. If it lags further, the turn waits for it rather than cutting off a word. */
const DETECTOR_LAG_MS = 100;
/** Interim results lag behind the voice by less than this; sound after that is a voice or noise in the background. */
const STANDING_WORDS_MS = 2000;
/** Sound of this length without recognised words is not speech. */
const WORDLESS_MS = 30_000;

/** The settings that determine the end of a turn. */
export interface EndpointPolicy extends TurnEndPolicy {
  /** Null without a recogniser: a turn then contains speech without words. */
  recogniser: { finalWithinMs: number; isSemantic: boolean; isModel: boolean } | null;
}

/** The input of a decision. */
export interface EndpointView {
  activity: CallerActivity;
  input: CallerInput;
  policy: EndpointPolicy;
  /** The typical pause of this caller within a turn; null if not known yet. */
  usualPauseMs: number | null;
  /** What the assistant has asked for, if that is dictated. */
  asked: Asked | null;
}

type HeardView = Pick<EndpointView, 'activity' | 'input'>;

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

/** Whether the turn no longer waits for the recogniser or the detector. */
export function areWordsOverdue(view: EndpointView, nowMs: number): boolean {
  const limitMs = Math.max(WORDS_OVERDUE_MS, waitOf(view) + WORDS_AFTER_WAIT_MS);
  return nowMs - view.activity.lastSpeechMs >= limitMs;
}

/**
 * Whether continuous sound can no longer be a person speaking: music on hold, a machine, a radio. Recognisers that report words
 * after a pause only find some in any sound.
 */
export function isWordless({ activity, input }: HeardView, hasLateWords: boolean, nowMs: number): boolean {
  if (input.startedMs === null) return false;
  const knownMs = hasLateWords ? Math.min(input.wordsMs, activity.startedMs) : input.wordsMs;
  return nowMs - Math.max(input.startedMs, knownMs) >= WORDLESS_MS;
}

/**
 * Whether sound continues although the caller has probably finished: the recogniser has reported a gap after the words, or
 * they have not changed for a while.
 */
export function areWordsStanding(view: HeardView, nowMs: number): boolean {
  const { input } = view;
  return inputText(input) !== '' && (hasWordGap(view) || nowMs - input.wordsMs >= STANDING_WORDS_MS);
}

/** Whether the recogniser's gap is in this speech; a gap before it can be reported late. */
function hasWordGap({ activity, input }: HeardView): boolean {
  return input.wordGapMs !== null && activity.startedMs <= input.wordsMs;
}

function waitOf({ activity, input, policy, usualPauseMs, asked }: EndpointView): number {
  const text = inputText(input);
  const isDone = text !== '' && input.doneMs !== null && input.doneMs >= activity.lastSpeechMs;
  return turnEndWait({ text, doneConfidence: input.doneConfidence, isDone, usualPauseMs, asked }, policy);
}

function areWordsSettled(view: EndpointView, nowMs: number): boolean {
  const { input, policy } = view;
  const { finalisedMs } = input;
  if (policy.recogniser === null || policy.recogniser.isModel || hasCoveringFinal(view)) return true;
  if (inputText(input) === '') return false;
  if (hasWordGap(view)) return true;
  if (finalisedMs === null || nowMs - finalisedMs < policy.recogniser.finalWithinMs) return false;
  return input.interim === '' || nowMs - input.interimSinceMs >= STABLE_INTERIM_MS;
}

/** Whether the newest final arrived after the last speech and covers it. */
export function hasCoveringFinal({ activity, input }: HeardView): boolean {
  const final = input.lastFinal;
  if (final === null || final.atMs < activity.lastSpeechMs) return false;
  return final.endMs === null || final.endMs > activity.startedMs;
}
