/**
 * When a caller who speaks over the assistant gets the floor. Two stages: at the first speech playout only pauses
 * (`turn-speaking.rules.ts`); this file says whether that speech is an interruption. Until it is, the paused sound can
 * go on as if nothing had happened, so waiting a little for the words costs nothing that can be heard.
 */
import { segmentMs, type CallerActivity } from '../hearing/caller-activity.rules.ts';
import { inputText, type CallerInput } from '../hearing/caller-input.rules.ts';
import { isBackchannel, isStop } from '../hearing/caller-words.rules.ts';
import { hasCoveringFinal } from '../hearing/endpointing.rules.ts';
import { countWords } from '../language.rules.ts';

/** Not confirmed so long after the end of the speech: a cough, a "mm-hm". The assistant goes on. */
const FALSE_BARGE_IN_MS = 2000;
/** Speech without a pause counts without words too; nobody waits in silence for a recogniser. */
const CERTAIN_AFTER_MS = 5000;
/** Guesses may lag so far behind the voice; until then "mm-hm" and "no, listen" sound alike. */
const GUESSES_LAG_MS = 400;

/** What counts as an interruption. */
export interface BargeInPolicy {
  /** Speech of at least this length. */
  interruptAfterMs: number;
  /** And at least so many words; 0 where words are not asked for or not known in time. */
  minInterruptWords: number;
  /** Words are guessed while the caller still speaks. */
  hasGuesses: boolean;
  language: string;
}

/** What the caller has said over the assistant. */
export interface BargeIn {
  caller: CallerActivity;
  input: CallerInput;
}

/** Whether the caller means to take the floor. */
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

/**
 * Whether the speech that paused the assistant is over and was no interruption: asked when {@link isInterruption} has
 * said no. Its words, once they stand, can only confirm that.
 */
export function isFalseBargeIn(bargeIn: BargeIn, nowMs: number): boolean {
  const { caller, input } = bargeIn;
  if (caller.isSpeaking) return false;
  return hasCoveringFinal({ activity: caller, input }) || nowMs - caller.lastSpeechMs >= FALSE_BARGE_IN_MS;
}
