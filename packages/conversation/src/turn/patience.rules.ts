/**
 * How long a caller waits for words of the assistant, and what is done meanwhile: a filler bridges the silence, a
 * provider that gives nothing is replaced, and before the line seems dead the call is ended with an apology. Watches
 * progress and not stages: whoever the turn waits for (`awaits`) is to blame when the time is up.
 *
 * All times are milliseconds of the call's sound.
 */
import type { Awaits, SpeechKind, Wait } from './turn-state.ts';

/** Words must come within this; the second attempt gets less, so that the apology comes within 6 s of a fault. */
const WORDS_DUE_MS = { 1: 3000, 2: 2500 } as const;
/** The same where no filler could be said: the line would sound dead for 4 s. */
const UNBRIDGED_DUE_MS = { 1: 1900, 2: 1500 } as const;
/** Silence before the turn began counts, up to this; an owner's long endpoint wait is no fault. */
const COUNTED_SILENCE_MS = 2500;
/** A filler, whoever the owner is: a stalled provider must not sound like a dead line. */
const RESCUE_AFTER_MS = 1400;
/** The earliest filler of an owner who wants them. */
const FILLER_AFTER_MS = 400;
/** The same while a tool runs, which is known to take its time. */
const TOOL_FILLER_AFTER_MS = 600;
/** From one filler to the next, and at the latest so long after the caller's last word. */
const FILLER_EVERY_MS = 3000;
/** The same for the next ones of an owner who wants them: ever rarer, or whoever waits feels held. */
const WANTED_AGAIN_MS = { tool: [700, 1400], other: [1400] } as const;
/** A filler that was asked for and is not heard may be asked for again. */
const ASK_AGAIN_MS = 500;
/** So short before a model is replaced, or the apology, a filler would only be torn off. */
const NO_FILLER_MS = 1000;
/** How many delays are remembered to know what is usual for this model. */
const REMEMBERED_DELAYS = 9;

/** All a decision looks at. */
export interface WaitView {
  wait: Wait;
  kind: SpeechKind;
  attempt: 1 | 2;
  awaits: Awaits;
  /** Words of this very turn were heard before. */
  hasSounded: boolean;
  areFillersOn: boolean;
  /** From the end of the caller's turn to the first word, of the latest replies. */
  replyDelaysMs: readonly number[];
}

/** What the wait calls for. `replace`: another provider for the same words. `apologise`: it is over. */
export type WaitDecision = 'wait' | 'fill' | 'replace' | 'apologise';

/** @param callerSilentMs - end of the caller's last speech; null where they wait for nothing */
export function beginWait(nowMs: number, callerSilentMs: number | null): Wait {
  const silentSinceMs = Math.max(callerSilentMs ?? nowMs, nowMs - COUNTED_SILENCE_MS);
  return { wordsDueMs: nowMs, silentSinceMs, fillerAskedMs: null, fillers: 0 };
}

/** Asked every 20 ms in which no words are sent. */
export function decideWait(view: WaitView, nowMs: number): WaitDecision {
  if (view.awaits === 'caller') return 'wait';
  const leftMs = view.awaits === 'tool' ? Infinity : view.wait.wordsDueMs + dueAfter(view) - nowMs;
  if (leftMs <= 0) return view.attempt === 1 ? 'replace' : 'apologise';
  if (view.kind === 'check-in' || view.kind === 'wrap-up') return 'wait'; // nobody waits for it
  if (leftMs <= NO_FILLER_MS) return 'wait';
  return nowMs >= fillerDueMs(view) ? 'fill' : 'wait';
}

/** The wait after a frame without words. A filler is a sound; neither a tool nor a caller with keys is a fault. */
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

/** The usual delay, with the newest one. */
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

/** Fillers of choice wait until the model is slower than usual, and never come before the first reply of a call. */
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
