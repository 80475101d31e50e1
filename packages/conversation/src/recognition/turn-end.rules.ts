/**
 * How much silence ends the caller's turn. With `endpoint_type` `vad` the owner's value, except within a number, a spelling or
 * an e-mail address, which people say in groups. With `ai`, it depends on
 * how likely it is that the caller continues: according to a recogniser that detects the end of turns, or otherwise to the
 * words and to the earlier pauses of this caller.
 */
import type { Asked } from './asked.rules.ts';
import { endingOf, type Ending } from './caller-words.rules.ts';

/** The shortest and longest wait of `ai`. A longer `endpoint_sensitivity` lengthens the latter. */
const SURE_WAIT_MS = 300;
const UNSURE_WAIT_MS = 2500;
/**
 * Between the groups of a number that is dictated; pauses of 1.2 s are usual. The detector takes soft ends of words for silence
 * and notices speech some 100 ms late, so that such a pause seems to last for up to 1.6 s.
 */
const DICTATED_WAIT_MS = 1800;
/** The same where the assistant has asked for it: pauses of 1.6 s to look up the rest are usual. */
const AWAITED_WAIT_MS = 2400;
/** After other digits: more of the number may follow. */
const DIGITS_WAIT_MS = 1000;
/** After "and", "my name is", "um". */
const UNFINISHED_WAIT_MS = 1800;
/** The wait exceeds the caller's usual pause by this factor. */
const PAUSE_MARGIN = 1.25;
/** The longest wait because of the caller's usual pause. */
const LEARNED_WAIT_MS = 1500;
/** The weight of earlier pauses when a new one is learned. */
const MEMORY = 0.7;

/** The settings of the owner and the properties of the recogniser that matter here. */
export interface TurnEndPolicy {
  endpointType: 'vad' | 'ai';
  /** `endpoint_sensitivity`. */
  endpointWaitMs: number;
  language: string;
  /** Null without a recogniser. */
  recogniser: { isSemantic: boolean } | null;
}

/** The turn that may be over. */
export interface TurnEndView {
  /** All words so far. */
  text: string;
  /** A semantic recogniser's latest confidence that the turn is over, 0 to 1; null for none, or if the caller continues. */
  doneConfidence: number | null;
  /** A semantic recogniser has reported the definite end of the turn, and the caller has not spoken since. */
  isDone: boolean;
  /** Typical pause of this caller within a turn, milliseconds; null before the first. */
  usualPauseMs: number | null;
  /** What the assistant has asked for, if that is dictated. */
  asked: Asked | null;
}

/** The silence, counted from the last speech, after which the turn is over. */
export function turnEndWait(view: TurnEndView, policy: TurnEndPolicy): number {
  if (policy.endpointType === 'vad') return waitByOwner(view, policy);
  if (policy.recogniser?.isSemantic)
    return view.isDone ? 0 : waitByConfidence(view.doneConfidence ?? 0, policy);
  return waitByText(view, policy);
}

/** The shortest possible wait. */
export function shortestWait(policy: TurnEndPolicy): number {
  return policy.endpointType === 'vad'
    ? policy.endpointWaitMs
    : Math.min(SURE_WAIT_MS, policy.endpointWaitMs);
}

/** The caller's usual pause, updated with a pause after which the caller continued. */
export function learnPause(usualPauseMs: number | null, pauseMs: number): number {
  return usualPauseMs === null ? pauseMs : MEMORY * usualPauseMs + (1 - MEMORY) * pauseMs;
}

function waitByOwner({ text, asked }: TurnEndView, { endpointWaitMs, language }: TurnEndPolicy): number {
  const ending = endingOf(text, language, asked);
  if (ending === 'awaited') return Math.max(AWAITED_WAIT_MS, endpointWaitMs);
  return ending === 'dictated' ? Math.max(DICTATED_WAIT_MS, endpointWaitMs) : endpointWaitMs;
}

function waitByConfidence(confidence: number, { endpointWaitMs }: TurnEndPolicy): number {
  const longestMs = Math.max(UNSURE_WAIT_MS, endpointWaitMs);
  return Math.round(longestMs + (SURE_WAIT_MS - longestMs) * Math.min(1, Math.max(0, confidence)));
}

function waitByText({ text, usualPauseMs, asked }: TurnEndView, policy: TurnEndPolicy): number {
  const { endpointWaitMs, language } = policy;
  const learnedMs = Math.min(LEARNED_WAIT_MS, (usualPauseMs ?? 0) * PAUSE_MARGIN);
  const waits: Record<Ending, number> = {
    finished: SURE_WAIT_MS,
    dictated: Math.max(DICTATED_WAIT_MS, endpointWaitMs),
    awaited: Math.max(AWAITED_WAIT_MS, endpointWaitMs),
    digits: Math.max(DIGITS_WAIT_MS, learnedMs),
    unfinished: Math.max(UNFINISHED_WAIT_MS, endpointWaitMs),
    open: Math.max(endpointWaitMs, learnedMs),
  };
  return Math.round(waits[endingOf(text, language, asked)]);
}
