/**
 * Whether a person or a machine has answered. Pure; time is call audio. The assistant's greeting never waits for the
 * verdict.
 *
 * - Machine: a phrase that only machines use, or a beep, at any time within 20 s.
 * - Machine: the first utterance lasts 2.5 s or has 12 words, and begins within 4 s of the answer.
 * - Person: a shorter utterance followed by half a second of silence, or a key press.
 * - Unknown: nothing heard for 10 s, or none of this within 20 s. The first verdict stands, except that a person can turn
 *   out to be a machine.
 *
 * Thresholds measured on greetings of synthetic voices: docs/decisions/answering-machines.md.
 */
import type { CallerActivity } from '../recognition/caller-activity.rules.ts';
import { soundsLikeMachine } from './machine-phrases.rules.ts';

const MACHINE_TALKS_MS = 2500;
const MACHINE_WORDS = 12;
/** Speech that begins later is an answer to what the assistant has said. */
const FIRST_WORDS_BEGIN_WITHIN_MS = 4000;
const PERSON_WAITS_MS = 500;
const NOTHING_HEARD_MS = 10_000;
const GIVE_UP_MS = 20_000;

/** The state of the detection. */
export interface AnsweringState {
  verdict: 'human' | 'machine' | 'unknown' | null;
  /** The first utterance: its start and its latest speech, milliseconds since the answer; null before it. */
  firstWords: { startedMs: number; lastMs: number } | null;
  /** The caller's words since the answer. */
  finals: string;
  isOver: boolean;
}

/** Nothing heard yet. */
export const NO_ANSWER_YET: AnsweringState = { verdict: null, firstWords: null, finals: '', isOver: false };

/** What the detection uses. */
export type AnsweringEvent =
  /** After each window of the detector. */
  | { type: 'voice'; activity: CallerActivity }
  | { type: 'interim'; text: string }
  | { type: 'final'; text: string }
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
      return machine(before);
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

function machine(state: AnsweringState): AnsweringState {
  return { ...state, verdict: 'machine', isOver: true };
}

function hearWords(state: AnsweringState, interim: string, language: string): AnsweringState {
  const text = `${state.finals} ${interim}`;
  if (soundsLikeMachine(text, language)) return machine(state);
  const count = text.split(/\s+/u).filter((word) => word !== '').length;
  const areFirst = state.verdict === null && beganEarly(state);
  return areFirst && count >= MACHINE_WORDS ? machine(state) : state;
}

function hearVoice(before: AnsweringState, activity: CallerActivity, nowMs: number): AnsweringState {
  if (nowMs >= GIVE_UP_MS) return { ...before, verdict: before.verdict ?? 'unknown', isOver: true };
  const state = before.verdict === null ? followFirstWords(before, activity) : before;
  if (state.verdict !== null) return state;
  if (!state.firstWords) return nowMs >= NOTHING_HEARD_MS ? { ...state, verdict: 'unknown' } : state;
  const { startedMs, lastMs } = state.firstWords;
  if (beganEarly(state) && lastMs - startedMs >= MACHINE_TALKS_MS) return machine(state);
  const isWaiting = !activity.isSpeaking && activity.analysedMs - lastMs >= PERSON_WAITS_MS;
  return isWaiting ? { ...state, verdict: 'human' } : state;
}

/** Short pauses belong to the first utterance. */
function followFirstWords(state: AnsweringState, activity: CallerActivity): AnsweringState {
  if (!activity.isSpeaking) return state;
  const startedMs = state.firstWords?.startedMs ?? activity.startedMs;
  return { ...state, firstWords: { startedMs, lastMs: activity.lastSpeechMs } };
}

function beganEarly({ firstWords }: AnsweringState): boolean {
  return firstWords === null || firstWords.startedMs <= FIRST_WORDS_BEGIN_WITHIN_MS;
}
