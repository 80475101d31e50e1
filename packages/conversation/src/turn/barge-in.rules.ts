/**
 * Barge-in: when a caller who speaks over the assistant gets the floor. There are two stages. The first speech only lowers
 * the level of the assistant (`turn-overlap.rules.ts`), because most short sounds are backchannels; speech that lasts longer
 * pauses playout. The rules here decide whether the speech is an interruption.
 */
import { segmentMs, type CallerActivity } from '../recognition/caller-activity.rules.ts';
import { inputText, type CallerInput } from '../recognition/caller-input.rules.ts';
import { isBackchannel, isStop } from '../recognition/caller-words.rules.ts';
import { hasCoveringFinal } from '../recognition/endpointing.rules.ts';
import { countWords } from '../language.rules.ts';

/** If the interruption is not confirmed this long after the end of the speech (a cough, a "mm-hm"), playout resumes. */
const FALSE_BARGE_IN_MS = 2000;
/** Continuous speech of this length is an interruption even if the recogniser has reported no words. */
const CERTAIN_AFTER_MS = 5000;
/** Speech that is longer than most backchannels pauses playout. */
const HOLD_AFTER_MS = 600;
/** How far interim results may lag behind the audio; until then "mm-hm" and "no, listen" cannot be told apart. */
const GUESSES_LAG_MS = 400;

/** What counts as an interruption. */
export interface BargeInPolicy {
  /** The minimum length of speech. */
  interruptAfterMs: number;
  /** The minimum number of words; 0 if words are not required or not known in time. */
  minInterruptWords: number;
  /** The recogniser sends interim results while the caller speaks. */
  hasGuesses: boolean;
  language: string;
}

/** What the caller has said while the assistant was speaking. */
export interface BargeIn {
  caller: CallerActivity;
  input: CallerInput;
}

/** Whether the caller's speech is an interruption. */
export function isInterruption({ caller, input }: BargeIn, policy: BargeInPolicy): boolean {
  const { interruptAfterMs, hasGuesses, language } = policy;
  const text = inputText(input);
  if (isStop(text, language)) return true;
  const lengthMs = segmentMs(caller);
  if (lengthMs >= Math.max(CERTAIN_AFTER_MS, interruptAfterMs)) return true;
  if (lengthMs < interruptAfterMs || isBackchannel(text, language)) return false;
  if (text === '' && hasGuesses && lengthMs < interruptAfterMs + GUESSES_LAG_MS) return false;
  return countWords(text) >= policy.minInterruptWords;
}

/** Whether the speech is too long for the assistant to speak over it, although it is no interruption yet. */
export function mustHold({ caller, input }: BargeIn, { language }: BargeInPolicy): boolean {
  const isLong = caller.isSpeaking && segmentMs(caller) >= HOLD_AFTER_MS;
  return isLong && !isBackchannel(inputText(input), language);
}

/**
 * Whether words that came before the reply sounded continue the caller's turn, so that the reply must answer them as well.
 * Interim results do not count, because they may still belong to the turn that is being answered.
 */
export function hasContinued({ input }: BargeIn, { language }: BargeInPolicy): boolean {
  const text = input.finals.join(' ');
  return text !== '' && !isBackchannel(text, language);
}

/**
 * Whether the speech that paused the assistant is over and was not an interruption. Called when {@link isInterruption} is
 * false; final words cannot change that any more.
 */
export function isFalseBargeIn(bargeIn: BargeIn, nowMs: number): boolean {
  const { caller, input } = bargeIn;
  if (caller.isSpeaking) return false;
  return hasCoveringFinal({ activity: caller, input }) || nowMs - caller.lastSpeechMs >= FALSE_BARGE_IN_MS;
}
