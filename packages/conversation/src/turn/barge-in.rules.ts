/**
 * Barge-in: when a caller who speaks over the assistant gets the floor. There are two stages. The first speech only lowers
 * the level of the assistant (`turn-overlap.rules.ts`), because most short sounds are backchannels; speech that lasts longer
 * pauses playout. The rules here decide whether the speech is an interruption.
 */
import { segmentMs, type CallerActivity } from '../recognition/caller-activity.rules.ts';
import { inputText, type CallerInput } from '../recognition/caller-input.rules.ts';
import {
  asksToRepeat,
  isAcknowledgement,
  isPresenceCheck,
  isStop,
} from '../recognition/caller-words.rules.ts';
import { plainWords } from '../recognition/plain-words.rules.ts';
import { hasCoveringFinal } from '../recognition/endpointing.rules.ts';
import { countWords } from '../language.rules.ts';

/** If the interruption is not confirmed this long after the end of the speech (a cough, a "mm-hm"), playout resumes. */
const FALSE_BARGE_IN_MS = 2000;
/** Continuous speech of this length is an interruption even if the recogniser has reported no words. */
const CERTAIN_AFTER_MS = 5000;
/** Speech that is longer than most backchannels pauses playout. */
const HOLD_AFTER_MS = 600;
/**
 * Owners who choose a shorter `interrupt_sensitivity` than the default get the pause sooner, and with the shortest (0.1 s) at
 * the onset (goal P4). The price is a gap for each backchannel.
 */
const HOLD_FACTOR = 1.5;
const SHORTEST_MS = 100;
/** How far interim results may lag behind the audio; until then "mm-hm" and "no, listen" cannot be told apart. */
const GUESSES_LAG_MS = 400;

/**
 * Speech that may still be a backchannel (its words come after it, or a single one was guessed) is an interruption when it
 * lasts longer by this factor, but not beyond the length of backchannels, as the detector reports it. Owners who choose a
 * short time still get a quick stop.
 */
const UNKNOWN_FACTOR = 1.4;
const LONGEST_BACKCHANNEL_MS = 700;
/**
 * The same with a recogniser whose words always come after the speech: "yes, yes, yes" and "all right, thank you" are longer than a
 * backchannel. Playout is paused meanwhile, and the reply to an interruption needs the words anyway. Words that come more than 2 s
 * after the speech find the assistant speaking again, and stop it then.
 */
const LATE_FACTOR = 2.8;
const LONGEST_ACKNOWLEDGEMENT_MS = 1400;

/** What counts as an interruption. */
export interface BargeInPolicy {
  /** The minimum length of speech. */
  interruptAfterMs: number;
  /** The minimum number of words; 0 if words are not required or not known in time. */
  minInterruptWords: number;
  /** The recogniser sends interim results while the caller speaks. */
  hasGuesses: boolean;
  /** The recogniser sends words only after the end of the speech. */
  hasLateWords: boolean;
  language: string;
}

/** What the caller has said while the assistant was speaking. */
export interface BargeIn {
  caller: CallerActivity;
  input: CallerInput;
}

/** Whether the caller's speech is an interruption. */
export function isInterruption({ caller, input }: BargeIn, policy: BargeInPolicy): boolean {
  const { interruptAfterMs, language } = policy;
  const text = inputText(input);
  if (isStop(text, language)) return true;
  // An interim result may be only the beginning of something else.
  if (input.interim === '' && asksToRepeat(text, language)) return true;
  const lengthMs = segmentMs(caller);
  if (lengthMs >= Math.max(CERTAIN_AFTER_MS, interruptAfterMs)) return true;
  if (!areWordsKnown({ caller, input }))
    return lengthMs >= unknownLimit(policy) && hasEnoughWords(text, policy);
  if (isAcknowledgement(text, language) || isPresenceCheck(text, language)) return false;
  // A caller who pauses after the first word has spoken for as long as all segments together.
  const leastMs = isOneGuess(input) ? doubtfulLimit(policy) : interruptAfterMs;
  if (Math.max(lengthMs, input.speechMs) < leastMs) return false;
  return hasEnoughWords(text, policy);
}

function hasEnoughWords(text: string, { minInterruptWords }: BargeInPolicy): boolean {
  return countWords(text) >= minInterruptWords;
}

/** Whether the words tell what the present speech is. Those of earlier speech do not. */
function areWordsKnown({ caller, input }: BargeIn): boolean {
  if (input.interim !== '') return true;
  const { finals, lastFinal } = input;
  return finals.length > 0 && lastFinal !== null && (lastFinal.endMs ?? lastFinal.atMs) > caller.startedMs;
}

/** A single word of an interim result is often wrong. */
function isOneGuess({ finals, interim }: CallerInput): boolean {
  return finals.length === 0 && countWords(interim) === 1;
}

/** How long speech must be that may still be a backchannel. */
function unknownLimit(policy: BargeInPolicy): number {
  const { interruptAfterMs, hasGuesses, hasLateWords } = policy;
  if (hasGuesses) return interruptAfterMs + GUESSES_LAG_MS;
  return hasLateWords ? longer(interruptAfterMs, LATE_FACTOR, LONGEST_ACKNOWLEDGEMENT_MS) : interruptAfterMs;
}

function doubtfulLimit({ interruptAfterMs }: BargeInPolicy): number {
  return longer(interruptAfterMs, UNKNOWN_FACTOR, LONGEST_BACKCHANNEL_MS);
}

/** Longer by the factor, but not above the maximum, unless the owner has chosen more. */
function longer(interruptAfterMs: number, factor: number, maximumMs: number): number {
  return Math.max(interruptAfterMs, Math.min(interruptAfterMs * factor, maximumMs));
}

/** Whether the speech is too long for the assistant to speak over it, although it is no interruption yet. */
export function mustHold({ caller, input }: BargeIn, { interruptAfterMs, language }: BargeInPolicy): boolean {
  const holdAfterMs = Math.min(HOLD_AFTER_MS, (interruptAfterMs - SHORTEST_MS) * HOLD_FACTOR);
  const isLong = caller.isSpeaking && segmentMs(caller) >= holdAfterMs;
  return isLong && !isAcknowledgement(inputText(input), language);
}

/**
 * Whether words that came before the reply sounded continue the caller's turn, so that the reply must answer them as well.
 * Interim results do not count, because they may still belong to the turn that is being answered.
 */
export function hasContinued({ input }: BargeIn, { language }: BargeInPolicy): boolean {
  const text = input.finals.join(' ');
  return text !== '' && !isAcknowledgement(text, language);
}

/**
 * Whether a caller who speaks before the reply sounds only wants to know whether they were heard: "hello?", or the same words
 * again. The reply answers them; discarding it would make them wait longer, and never end for a caller who repeats it again.
 * Speech whose words come after it may be that, too.
 */
export function isStillAsking(
  { caller, input, taken }: BargeIn & { taken: { text: string } | null },
  { language, hasLateWords }: BargeInPolicy,
): boolean {
  const text = inputText(input);
  if (text === '') return hasLateWords && input.keys === '' && segmentMs(caller) < CERTAIN_AFTER_MS;
  return isPresenceCheck(text, language) || isRepeated(plainWords(text), plainWords(taken?.text ?? ''));
}

/** A single word that is a part of the earlier ones may mean something else now. */
function isRepeated(words: readonly string[], earlier: readonly string[]): boolean {
  if (words.length === 0 || (words.length === 1 && earlier.length !== 1)) return false;
  return ` ${earlier.join(' ')} `.includes(` ${words.join(' ')} `);
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
