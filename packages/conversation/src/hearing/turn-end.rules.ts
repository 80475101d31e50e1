/**
 * How long a silence must be to end the caller's turn. With `endpoint_type` `vad` always as long as the owner said;
 * with `ai` as long as the words make it likely that more is to come. Who knows best is asked first: a recogniser that
 * understands the end of a turn, else the words themselves and the pauses this caller has made before.
 */
import { endingOf, type Ending } from './caller-words.rules.ts';

/** The shortest and longest wait of `ai`. A longer `endpoint_sensitivity` lengthens the latter. */
const SURE_WAIT_MS = 300;
const UNSURE_WAIT_MS = 2500;
/** After digits: more of the number may follow. */
const DIGITS_WAIT_MS = 1000;
/** After "and", "my name is", "um". */
const UNFINISHED_WAIT_MS = 1800;
/** A caller who pauses long is waited for a little longer than they paused. */
const PAUSE_MARGIN = 1.25;
/** And at most for this. */
const LEARNED_WAIT_MS = 1500;
/** How much of what was learned before survives one more pause. */
const MEMORY = 0.7;

/** What the owner and the recogniser make of the end of turns. */
export interface TurnEndPolicy {
  endpointType: 'vad' | 'ai';
  /** `endpoint_sensitivity`. */
  endpointWaitMs: number;
  language: string;
  /** Null where nobody recognises words. */
  recogniser: { isSemantic: boolean } | null;
}

/** What is known of the turn that may be over. */
export interface TurnEndView {
  /** All words so far. */
  text: string;
  /** What a semantic recogniser said last of this turn, 0 to 1; null for nothing yet, or for "goes on". */
  doneConfidence: number | null;
  /** Typical pause of this caller within a turn, milliseconds; null before the first. */
  usualPauseMs: number | null;
}

/** The silence, counted from the last speech, after which the turn is over. */
export function turnEndWait(view: TurnEndView, policy: TurnEndPolicy): number {
  if (policy.endpointType === 'vad') return policy.endpointWaitMs;
  if (policy.recogniser?.isSemantic) return waitByConfidence(view.doneConfidence ?? 0, policy);
  return waitByText(view, policy);
}

/** The shortest wait there can be, for what must be known by then. */
export function shortestWait(policy: TurnEndPolicy): number {
  return policy.endpointType === 'vad'
    ? policy.endpointWaitMs
    : Math.min(SURE_WAIT_MS, policy.endpointWaitMs);
}

/** The caller paused within a turn and went on: their usual pause, as it is known now. */
export function learnPause(usualPauseMs: number | null, pauseMs: number): number {
  return usualPauseMs === null ? pauseMs : MEMORY * usualPauseMs + (1 - MEMORY) * pauseMs;
}

function waitByConfidence(confidence: number, { endpointWaitMs }: TurnEndPolicy): number {
  const longestMs = Math.max(UNSURE_WAIT_MS, endpointWaitMs);
  return Math.round(longestMs + (SURE_WAIT_MS - longestMs) * Math.min(1, Math.max(0, confidence)));
}

function waitByText({ text, usualPauseMs }: TurnEndView, policy: TurnEndPolicy): number {
  const { endpointWaitMs, language } = policy;
  const learnedMs = Math.min(LEARNED_WAIT_MS, (usualPauseMs ?? 0) * PAUSE_MARGIN);
  const waits: Record<Ending, number> = {
    finished: SURE_WAIT_MS,
    digits: Math.max(DIGITS_WAIT_MS, learnedMs),
    unfinished: Math.max(UNFINISHED_WAIT_MS, endpointWaitMs),
    open: Math.max(endpointWaitMs, learnedMs),
  };
  return Math.round(waits[endingOf(text, language)]);
}
