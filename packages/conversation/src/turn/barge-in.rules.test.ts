import { describe, expect, it } from 'vitest';
import { NO_ACTIVITY } from '../recognition/caller-activity.rules.ts';
import { addFinal, addInterim, NO_INPUT } from '../recognition/caller-input.rules.ts';
import {
  isFalseBargeIn,
  isInterruption,
  mustHold,
  type BargeIn,
  type BargeInPolicy,
} from './barge-in.rules.ts';

/** The caller has spoken over the assistant from 1000 on. */
const spoken = (lengthMs: number, text = '', isSpeaking = true): BargeIn => ({
  caller: { ...NO_ACTIVITY, isSpeaking, startedMs: 1000, lastSpeechMs: 1000 + lengthMs },
  input: addInterim({ ...NO_INPUT, startedMs: 1000 }, text, 1000 + lengthMs),
});
const POLICY: BargeInPolicy = {
  interruptAfterMs: 500,
  minInterruptWords: 0,
  hasGuesses: false,
  hasLateWords: false,
  language: 'en',
};
const TWO_WORDS = { ...POLICY, minInterruptWords: 2, hasGuesses: true };
const GUESSING = { ...POLICY, hasGuesses: true };
const LATE = { ...POLICY, hasLateWords: true };
/** The final of an earlier segment of 300 ms, which ended at 700. */
const afterFinal = (lengthMs: number, text: string): BargeIn => ({
  caller: spoken(lengthMs).caller,
  input: {
    ...addFinal({ ...NO_INPUT, startedMs: 300 }, text, { nowMs: 900, endMs: 900 }),
    speechMs: 300 + lengthMs,
  },
});
/** The same, when the final of both has come. */
const afterBoth = (lengthMs: number): BargeIn => {
  const { caller, input } = afterFinal(lengthMs, 'Yes.');
  const nowMs = caller.lastSpeechMs + 300;
  return {
    caller: { ...caller, isSpeaking: false },
    input: addFinal(input, 'that is right', { nowMs, endMs: nowMs }),
  };
};

const shortly = (interruptAfterMs: number): BargeInPolicy => ({ ...GUESSING, interruptAfterMs });

describe('mustHold', () => {
  it.each<[string, BargeIn, BargeInPolicy, boolean]>([
    ['speech of the length of a backchannel is not', spoken(599), GUESSING, false],
    ['longer speech is', spoken(600), GUESSING, true],
    ['a known backchannel is not', spoken(900, 'Yeah, right.'), GUESSING, false],
    ['speech that has ended is not', spoken(900, '', false), GUESSING, false],
    ['a longer setting makes no difference', spoken(600), shortly(2000), true],
    ['a shorter one does', spoken(150), shortly(200), true],
    ['but only for speech of that length', spoken(149), shortly(200), false],
    ['the shortest stops at the onset', spoken(0), shortly(100), true],
  ])('%s', (_sentence, bargeIn, policy, expected) => {
    expect(mustHold(bargeIn, policy)).toBe(expected);
  });
});

describe('isInterruption', () => {
  it.each<[string, BargeIn, BargeInPolicy, boolean]>([
    ['shorter speech is none', spoken(480), POLICY, false],
    ['speech of the length is one', spoken(500), POLICY, true],
    ['also after it has ended', spoken(500, '', false), POLICY, true],
    ['words must be there as well', spoken(900, 'I'), TWO_WORDS, false],
    ['both are', spoken(900, 'I want'), TWO_WORDS, true],
    ['words alone are not enough', spoken(300, 'I want to go home'), TWO_WORDS, false],
    ['five seconds need no words', spoken(5000), TWO_WORDS, true],
    ['nor any other words', spoken(5000, 'yeah yeah'), TWO_WORDS, true],
    ['the longest setting', spoken(4999), { ...POLICY, interruptAfterMs: 5000 }, false],
    ['a stop word needs no length', spoken(100, 'Stop'), TWO_WORDS, true],
    ['a sign of listening is none', spoken(900, 'Yeah, right.'), POLICY, false],
    ['nor are thanks', spoken(900, 'Okay, thank you very much.'), POLICY, false],
    ['unless more comes with it', spoken(900, 'Yeah, but no.'), POLICY, true],
    ['or with thanks', spoken(900, 'Thank you, that is all.'), POLICY, true],
    ['guesses on their way are waited for', spoken(899), GUESSING, false],
    ['but not for long', spoken(900), GUESSING, true],
    ['and not once they are there', spoken(500, 'I want'), GUESSING, true],
    ['one word may be guessed wrongly', spoken(699, 'label'), GUESSING, false],
    ['but not of longer speech', spoken(700, 'label'), GUESSING, true],
    ['speech whose words come late may be an acknowledgement', spoken(1399), LATE, false],
    ['that is not longer', spoken(1400), LATE, true],
    ['a short setting stays short', spoken(280), { ...LATE, interruptAfterMs: 100 }, true],
    ['a long one is not made longer', spoken(1500), { ...LATE, interruptAfterMs: 1500 }, true],
    ['a backchannel before it says nothing about it', afterFinal(1400, 'Yes.'), LATE, true],
    ['nor do other words', afterFinal(400, 'Tomorrow.'), LATE, false],
    ['words of all segments count with their length', afterBoth(400), LATE, true],
  ])('%s', (_sentence, bargeIn, policy, expected) => {
    expect(isInterruption(bargeIn, policy)).toBe(expected);
  });
});

describe('isFalseBargeIn', () => {
  const over = spoken(300, '', false);
  const read = (nowMs: number): BargeIn => ({
    ...over,
    input: addFinal(over.input, 'Mm-hm.', { nowMs, endMs: null }),
  });
  it.each<[string, BargeIn, number, boolean]>([
    ['not while the caller speaks', spoken(300), 9000, false],
    ['not before two seconds of silence', over, 3299, false],
    ['two seconds after the speech', over, 3300, true],
    ['at once when its words stand', read(1400), 1400, true],
    ['but words from before it say nothing', read(1200), 1400, false],
  ])('%s', (_sentence, bargeIn, nowMs, expected) => {
    expect(isFalseBargeIn(bargeIn, nowMs)).toBe(expected);
  });
});
