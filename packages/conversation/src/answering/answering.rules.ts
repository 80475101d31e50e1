/**
 * Who has answered: a person, a machine, or nobody knows. Pure; time is the call's sound. The assistant's greeting never
 * waits for it, so a person loses nothing; what it costs a machine is a second of talking to nobody.
 *
 * - A machine says what only machines say, or beeps: told at any time within 20 s.
 * - A machine talks on: its first words last 2.5 s, or are 12 words, and begin within 4 s of the answer.
 * - A person says something short and waits: half a second of silence after less than that. Or presses a key.
 * - Nothing heard for 10 s, or 20 s without any of this: unknown. The first verdict stands, but for a machine that gives
 *   itself away after sounding like a person.
 *
 * Thresholds measured on greetings of synthetic voices: docs/decisions/answering-machines.md.
 */
import type { CallerActivity } from '../hearing/caller-activity.rules.ts';
import { soundsLikeMachine } from './machine-phrases.rules.ts';

const MACHINE_TALKS_MS = 2500;
const MACHINE_WORDS = 12;
/** Whoever begins later answers what the assistant has said. */
const FIRST_WORDS_BEGIN_WITHIN_MS = 4000;
const PERSON_WAITS_MS = 500;
const NOTHING_HEARD_MS = 10_000;
const GIVE_UP_MS = 20_000;

/** What is known so far. */
export interface AnsweringState {
  verdict: 'human' | 'machine' | 'unknown' | null;
  /** First words: when they began and when they last went on, milliseconds since the answer; null before them. */
  firstWords: { startedMs: number; lastMs: number } | null;
  /** The caller's words since the answer. */
  finals: string;
  isOver: boolean;
}

/** Nothing heard yet. */
export const NO_ANSWER_YET: AnsweringState = { verdict: null, firstWords: null, finals: '', isOver: false };

/** What can tell. */
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

/** Pauses too short for a person who waits belong to the first words. */
function followFirstWords(state: AnsweringState, activity: CallerActivity): AnsweringState {
  if (!activity.isSpeaking) return state;
  const startedMs = state.firstWords?.startedMs ?? activity.startedMs;
  return { ...state, firstWords: { startedMs, lastMs: activity.lastSpeechMs } };
}

function beganEarly({ firstWords }: AnsweringState): boolean {
  return firstWords === null || firstWords.startedMs <= FIRST_WORDS_BEGIN_WITHIN_MS;
}
