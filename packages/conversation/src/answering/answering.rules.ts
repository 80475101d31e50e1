/**
 * What has answered: a person, an answering machine, a call screening assistant or a phone menu. Pure; time is call audio.
 * The conversation does not wait for the verdict.
 *
 * - Machine: a beep within 20 s; before another verdict, a phrase that only machines use.
 * - Screening, menu: a phrase that only these use, before another verdict.
 * - Machine: a first utterance of 2.5 s without a second of pause. While words arrive, the limit is 6 s or 24 words, so
 *   that phrases can decide first; also 6 s if the utterance began over our greeting and the greeting continued. Any other
 *   utterance that began after our first words is a reaction to them, whatever its length and its words.
 * - Person: an utterance followed by a second of silence, or a key press. Only a beep changes this verdict.
 * - Unknown: nothing heard for 10 s, or none of this within 20 s.
 *
 * Thresholds measured on greetings of synthetic voices: docs/decisions/answering-machines.md.
 */
import type { CallerActivity } from '../recognition/caller-activity.rules.ts';
import { classByPhrase } from './machine-phrases.rules.ts';

const MACHINE_TALKS_MS = 2500;
/** The same while words arrive, or if it began over our greeting. */
const MACHINE_SURELY_TALKS_MS = 6000;
const MACHINE_WORDS = 24;
/** Speech that begins this soon after our greeting began cannot be a reaction to it. */
const REACTS_AFTER_MS = 700;
/** A longer pause of ours ends our greeting. */
const GREETING_PAUSES_MS = 1000;
const PERSON_WAITS_MS = 1000;
const NOTHING_HEARD_MS = 10_000;
const GIVE_UP_MS = 20_000;

/** What answered a call. */
export type AnsweringVerdict = 'human' | 'machine' | 'screening' | 'menu' | 'unknown';

/** The state of the detection. */
export interface AnsweringState {
  verdict: AnsweringVerdict | null;
  /** The first utterance: its start and its latest speech, milliseconds since the answer; null before it. */
  firstWords: { startedMs: number; lastMs: number } | null;
  /** The caller's words since the answer. */
  finals: string;
  /** A recogniser has reported words. */
  hasWords: boolean;
  /** Our first turn; null before it. */
  greeting: { startedMs: number; lastMs: number } | null;
  isOver: boolean;
}

/** Nothing heard yet. */
export const NO_ANSWER_YET: AnsweringState = {
  verdict: null,
  firstWords: null,
  finals: '',
  hasWords: false,
  greeting: null,
  isOver: false,
};

/** What the detection uses. */
export type AnsweringEvent =
  /** After each window of the detector. */
  | { type: 'voice'; activity: CallerActivity }
  | { type: 'interim'; text: string }
  | { type: 'final'; text: string }
  /** A frame in which the assistant spoke. */
  | { type: 'spoken' }
  | { type: 'key' }
  | { type: 'beep' };

/**
 * Takes the next event.
 *
 * @param language - of the assistant, for phrases
 */
export function hearAnswer(
  before: AnsweringState,
  event: AnsweringEvent,
  { nowMs, language }: { nowMs: number; language: string },
): AnsweringState {
  if (before.isOver) return before;
  switch (event.type) {
    case 'key':
      return { ...before, verdict: 'human', isOver: true };
    case 'beep':
      return { ...before, verdict: 'machine', isOver: true };
    case 'spoken':
      return followGreeting(before, nowMs);
    case 'interim':
      return hearWords(before, event.text, language);
    case 'final': {
      const state = { ...before, finals: `${before.finals} ${event.text}`.trim() };
      return hearWords(state, '', language);
    }
    case 'voice':
      return hearVoice(before, event.activity, nowMs);
  }
}

function decided(state: AnsweringState, verdict: AnsweringVerdict): AnsweringState {
  return { ...state, verdict, isOver: verdict === 'machine' };
}

function hearWords(before: AnsweringState, interim: string, language: string): AnsweringState {
  const text = `${before.finals} ${interim}`.trim();
  const state = { ...before, hasWords: before.hasWords || text !== '' };
  if (!isOpen(state) || !isUnprompted(state)) return state;
  const verdict = classByPhrase(text, language);
  if (verdict !== null) return decided(state, verdict);
  const count = text.split(/\s+/u).filter((word) => word !== '').length;
  return count >= MACHINE_WORDS ? decided(state, 'machine') : state;
}

/** After a long silence, the called side may still be recognised as a machine. */
function isOpen({ verdict }: AnsweringState): boolean {
  return verdict === null || verdict === 'unknown';
}

function hearVoice(before: AnsweringState, activity: CallerActivity, nowMs: number): AnsweringState {
  if (nowMs >= GIVE_UP_MS) return { ...before, verdict: before.verdict ?? 'unknown', isOver: true };
  const state = before.verdict === null ? followFirstWords(before, activity) : before;
  if (state.verdict !== null) return state;
  if (!state.firstWords) return nowMs >= NOTHING_HEARD_MS ? { ...state, verdict: 'unknown' } : state;
  const { startedMs, lastMs } = state.firstWords;
  if (isUnprompted(state) && lastMs - startedMs >= limitOf(state)) return decided(state, 'machine');
  const isWaiting = !activity.isSpeaking && activity.analysedMs - lastMs >= PERSON_WAITS_MS;
  return isWaiting ? { ...state, verdict: 'human' } : state;
}

/** Short pauses belong to the first utterance. */
function followFirstWords(state: AnsweringState, activity: CallerActivity): AnsweringState {
  if (!activity.isSpeaking) return state;
  const startedMs = state.firstWords?.startedMs ?? activity.startedMs;
  return { ...state, firstWords: { startedMs, lastMs: activity.lastSpeechMs } };
}

function followGreeting(state: AnsweringState, nowMs: number): AnsweringState {
  const { greeting } = state;
  if (greeting && nowMs - greeting.lastMs > GREETING_PAUSES_MS) return state;
  return { ...state, greeting: { startedMs: greeting?.startedMs ?? nowMs, lastMs: nowMs } };
}

/** Whether the first utterance is no reaction to our greeting: it began with it at the latest, or went on beside it. */
function isUnprompted(state: AnsweringState): boolean {
  const { firstWords, greeting } = state;
  if (!hasBegunOverGreeting(state)) return true;
  return (
    firstWords !== null && greeting !== null && greeting.lastMs - firstWords.startedMs >= REACTS_AFTER_MS
  );
}

function limitOf(state: AnsweringState): number {
  return state.hasWords || hasBegunOverGreeting(state) ? MACHINE_SURELY_TALKS_MS : MACHINE_TALKS_MS;
}

function hasBegunOverGreeting({ firstWords, greeting }: AnsweringState): boolean {
  return (
    firstWords !== null && greeting !== null && firstWords.startedMs > greeting.startedMs + REACTS_AFTER_MS
  );
}
