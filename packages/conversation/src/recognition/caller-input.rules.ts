/**
 * What the caller has said or pressed since their last turn: speech, recognised words, keys. It becomes one turn, or an
 * aside in the transcript.
 */
import { segmentMs, type CallerActivity } from './caller-activity.rules.ts';
import { plainWords } from './plain-words.rules.ts';

/** Length of a frame, milliseconds. */
const FRAME_MS = 20;
/** Shorter speech without a recognised word is a click or a breath and gets no reply. */
const MIN_UNRECOGNISED_MS = 150;

/** Times are milliseconds of call audio. */
export interface CallerInput {
  /** Start of the first speech or key; null while there is neither. */
  startedMs: number | null;
  /** End of the newest speech or key. */
  endedMs: number;
  /** Speech of the assistant that was sent since then. */
  spokenOverMs: number;
  /** The total length of all segments of speech, without the pauses between them. */
  speechMs: number;
  finals: readonly string[];
  /** The current interim result. */
  interim: string;
  /** When `interim` last changed. */
  interimSinceMs: number;
  /** When a word was last added or changed; 0 before the first. */
  wordsMs: number;
  /** When the recogniser reported that no further word followed; null if words came after that. */
  wordGapMs: number | null;
  /** When the recogniser was last asked for a final; null if it was not. */
  finalisedMs: number | null;
  /** The newest final: when it arrived, where its words end if known, and whether it replaces one that is overdue. */
  lastFinal: { atMs: number; endMs: number | null; isOverdue?: boolean } | null;
  /** A semantic recogniser's latest confidence that the turn is over, 0 to 1; null for none, or if the caller continues. */
  doneConfidence: number | null;
  /** When a semantic recogniser reported the definite end of the turn; null if it did not, or if words followed. */
  doneMs: number | null;
  /** Pressed so far, in order: 0-9 * # A-D. */
  keys: string;
  lastKeyMs: number;
}

export const NO_INPUT: CallerInput = {
  startedMs: null,
  endedMs: 0,
  spokenOverMs: 0,
  speechMs: 0,
  finals: [],
  interim: '',
  interimSinceMs: 0,
  wordsMs: 0,
  wordGapMs: null,
  finalisedMs: null,
  lastFinal: null,
  doneConfidence: null,
  doneMs: null,
  keys: '',
  lastKeyMs: 0,
};

/** One entry of a caller's turn; `text` is empty for speech that was not recognised. */
export interface CallerUtterance {
  kind: 'speech' | 'unrecognised' | 'dtmf';
  text: string;
  startedMs: number;
  endedMs: number;
}

/** Adds the speech that came with a window of the detector. */
export function addSpeech(input: CallerInput, before: CallerActivity, after: CallerActivity): CallerInput {
  if (!after.isSpeaking || after.lastSpeechMs === before.lastSpeechMs) return input;
  const addedMs = before.isSpeaking ? after.lastSpeechMs - before.lastSpeechMs : segmentMs(after);
  return {
    ...input,
    startedMs: input.startedMs ?? after.startedMs,
    endedMs: after.lastSpeechMs,
    spokenOverMs: 0,
    speechMs: input.speechMs + addedMs,
  };
}

/** Counts a frame in which the assistant spoke. */
export function addSound(input: CallerInput, sent: { sentTurn: number; isFiller: boolean }): CallerInput {
  if (input.startedMs === null || sent.sentTurn === 0 || sent.isFiller) return input;
  return { ...input, spokenOverMs: input.spokenOverMs + FRAME_MS };
}

/** Each interim result replaces the previous one. */
export function addInterim(input: CallerInput, text: string, nowMs: number): CallerInput {
  const interim = text.trim();
  if (interim === input.interim) return input;
  const change = interim === '' ? {} : { wordsMs: nowMs, wordGapMs: null, doneMs: null };
  return { ...input, interim, interimSinceMs: nowMs, ...change };
}

/** @param at - see `lastFinal` */
export function addFinal(
  input: CallerInput,
  text: string,
  at: { nowMs: number; endMs: number | null; isOverdue?: boolean | undefined },
): CallerInput {
  const words = text.trim();
  const finals = words === '' ? input.finals : [...input.finals, words];
  return {
    ...input,
    ...(hasNewWords(input, words) ? { wordsMs: at.nowMs, wordGapMs: null } : {}),
    finals,
    interim: '',
    lastFinal: { atMs: at.nowMs, endMs: at.endMs, isOverdue: at.isOverdue ?? false },
  };
}

/** Whether a final contains words other than those of the interim result that it replaces. */
export function hasNewWords({ interim }: CallerInput, text: string): boolean {
  const words = plainWords(text).join(' ');
  return words !== '' && words !== plainWords(interim).join(' ');
}

/** Keys of one turn; programs press more, which would become a long and expensive turn. */
const MOST_KEYS = 100;

/** Adds a key press. */
export function addKey(input: CallerInput, digit: string, nowMs: number): CallerInput {
  if (input.keys.length >= MOST_KEYS) return input;
  return {
    ...input,
    startedMs: input.startedMs ?? nowMs,
    endedMs: Math.max(input.endedMs, nowMs),
    keys: input.keys + digit,
    lastKeyMs: nowMs,
  };
}

/** All words known so far. */
export function inputText(input: CallerInput): string {
  return [...input.finals, input.interim].filter((text) => text !== '').join(' ');
}

/** The entries of a turn: words, or speech without words; then keys. Empty for a click. */
export function utterancesOf(input: CallerInput): CallerUtterance[] {
  const text = inputText(input);
  const span = { startedMs: input.startedMs ?? input.endedMs, endedMs: input.endedMs };
  const utterances: CallerUtterance[] = [];
  if (text !== '') utterances.push({ kind: 'speech', text, ...span });
  else if (input.speechMs >= MIN_UNRECOGNISED_MS)
    utterances.push({ kind: 'unrecognised', text: '', ...span });
  if (input.keys !== '') utterances.push({ kind: 'dtmf', text: input.keys, ...span });
  return utterances;
}
