/**
 * How long a caller waits for the assistant to speak, and what happens meanwhile: a filler bridges the silence, a provider
 * that delivers nothing is replaced, and before the line seems dead an apology ends the call. The rules watch progress and
 * not stages: what the turn waits for (`awaits`) is the cause when the time is up.
 *
 * All times are milliseconds of call audio.
 */
import type { Awaits, SpeechKind, Wait } from './turn-state.ts';

/** Time until speech is due, by attempt. The second attempt gets less, so that the apology comes within 6 s of a fault. */
const WORDS_DUE_MS = { 1: 3000, 2: 2500 } as const;
/** The same if no filler could be played, because the line would otherwise be silent for 4 s. */
const UNBRIDGED_DUE_MS = { 1: 1900, 2: 1500 } as const;
/** Silence before the turn began counts up to this limit, because a long `endpoint_sensitivity` is not a fault. */
const COUNTED_SILENCE_MS = 2500;
/** When a filler is played even if the owner disabled fillers: a stalled provider must not sound like a dead line. */
const RESCUE_AFTER_MS = 1400;
/** The earliest filler if fillers are enabled. */
const FILLER_AFTER_MS = 400;
/** The same while a tool runs, which usually takes time (goal P5). */
const TOOL_FILLER_AFTER_MS = 550;
/** The interval between fillers, and the latest time of the first one after the caller's last word. */
const FILLER_EVERY_MS = 3000;
/** The intervals to the next fillers if fillers are enabled. Later ones are rare, because frequent fillers annoy the caller. */
const WANTED_AGAIN_MS = { tool: [550, 600], other: [1400] } as const;
/** A filler that was requested but not played may be requested again after this time. */
const ASK_AGAIN_MS = 500;
/** This long before a model is replaced, or before the apology, no filler starts, because it would be cut off. */
const NO_FILLER_MS = 1000;
/** How many reply delays are kept to determine the usual delay of the model. */
const REMEMBERED_DELAYS = 9;

/** The input of a decision. */
export interface WaitView {
  wait: Wait;
  kind: SpeechKind;
  attempt: 1 | 2;
  awaits: Awaits;
  /** Speech of this turn has been heard already. */
  hasSounded: boolean;
  areFillersOn: boolean;
  /** From the end of the caller's turn to the first word, of the latest replies. */
  replyDelaysMs: readonly number[];
}

/** What to do. `replace`: use another provider for the same words. `apologise`: end the call. */
export type WaitDecision = 'wait' | 'fill' | 'replace' | 'apologise';

/** @param callerSilentMs - end of the caller's last speech; null if the caller does not wait for a reply */
export function beginWait(nowMs: number, callerSilentMs: number | null): Wait {
  const silentSinceMs = Math.max(callerSilentMs ?? nowMs, nowMs - COUNTED_SILENCE_MS);
  return { wordsDueMs: nowMs, silentSinceMs, fillerAskedMs: null, fillers: 0 };
}

/** Called for every frame in which no speech is sent. */
export function decideWait(view: WaitView, nowMs: number): WaitDecision {
  if (view.awaits === 'caller') return 'wait';
  const leftMs = view.awaits === 'tool' ? Infinity : view.wait.wordsDueMs + dueAfter(view) - nowMs;
  if (leftMs <= 0) return view.attempt === 1 ? 'replace' : 'apologise';
  if (view.kind === 'check-in' || view.kind === 'wrap-up') return 'wait'; // the caller does not wait for it
  if (view.kind === 'disclosure') return 'wait'; // nothing may be said before it
  if (leftMs <= NO_FILLER_MS) return 'wait';
  return nowMs >= fillerDueMs(view) ? 'fill' : 'wait';
}

/** Updates the wait after a frame without speech. A running tool or a caller who enters keys is not a fault. */
export function waitOn(wait: Wait, frame: { hasFiller: boolean; awaits: Awaits }, nowMs: number): Wait {
  const { fillerAskedMs, silentSinceMs } = wait;
  const isNew = frame.hasFiller && fillerAskedMs !== null && silentSinceMs <= fillerAskedMs;
  const isBusy = frame.awaits === 'tool' || frame.awaits === 'caller';
  return {
    fillerAskedMs,
    fillers: wait.fillers + (isNew ? 1 : 0),
    silentSinceMs: frame.hasFiller ? nowMs : silentSinceMs,
    wordsDueMs: isBusy ? nowMs : wait.wordsDueMs,
  };
}

function dueAfter({ wait, attempt }: WaitView): number {
  const wasNotHeard = wait.fillerAskedMs !== null && wait.silentSinceMs <= wait.fillerAskedMs;
  return (wasNotHeard ? UNBRIDGED_DUE_MS : WORDS_DUE_MS)[attempt];
}

/** The latest delays, with a new one added. */
export function rememberDelay(delaysMs: readonly number[], delayMs: number): readonly number[] {
  return [...delaysMs, delayMs].slice(-REMEMBERED_DELAYS);
}

function fillerDueMs(view: WaitView): number {
  const { wordsDueMs, silentSinceMs, fillerAskedMs } = view.wait;
  if (fillerAskedMs !== null && silentSinceMs <= fillerAskedMs) return fillerAskedMs + ASK_AGAIN_MS;
  if (fillerAskedMs !== null) return silentSinceMs + nextFillerAfter(view);
  const againMs = silentSinceMs + FILLER_EVERY_MS;
  const sinceMs = view.awaits === 'tool' ? silentSinceMs : Math.max(wordsDueMs, silentSinceMs);
  return Math.min(sinceMs + firstFillerAfter(view), againMs);
}

function nextFillerAfter({ wait, awaits, areFillersOn }: WaitView): number {
  if (!areFillersOn) return FILLER_EVERY_MS;
  return WANTED_AGAIN_MS[awaits === 'tool' ? 'tool' : 'other'][wait.fillers - 1] ?? FILLER_EVERY_MS;
}

/** The owner's fillers are played only once the model is slower than usual, and never before the first reply of a call. */
function firstFillerAfter(view: WaitView): number {
  const { areFillersOn, awaits, kind, hasSounded, replyDelaysMs } = view;
  if (!areFillersOn) return RESCUE_AFTER_MS;
  if (awaits === 'tool') return TOOL_FILLER_AFTER_MS;
  if (kind !== 'reply' || hasSounded || replyDelaysMs.length === 0) return RESCUE_AFTER_MS;
  return Math.min(RESCUE_AFTER_MS, Math.max(FILLER_AFTER_MS, median(replyDelaysMs)));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}
