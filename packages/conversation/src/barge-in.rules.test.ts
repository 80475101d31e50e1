import { describe, expect, it } from 'vitest';
import { isFalseBargeIn, isInterruption } from './barge-in.rules.ts';
import { NO_ACTIVITY } from './caller-activity.rules.ts';

const spoken = (lengthMs: number, isSpeaking = true): typeof NO_ACTIVITY => ({
  ...NO_ACTIVITY,
  isSpeaking,
  startedMs: 1000,
  lastSpeechMs: 1000 + lengthMs,
});

describe('isInterruption', () => {
  it.each([
    ['shorter speech is none', 480, 0, { interruptAfterMs: 500, minInterruptWords: 0 }, false],
    ['speech of the length is one', 500, 0, { interruptAfterMs: 500, minInterruptWords: 0 }, true],
    ['also after it has ended', 500, 0, { interruptAfterMs: 500, minInterruptWords: 0 }, true],
    ['words must be there as well', 900, 1, { interruptAfterMs: 500, minInterruptWords: 2 }, false],
    ['both are', 900, 2, { interruptAfterMs: 500, minInterruptWords: 2 }, true],
    ['words alone are not enough', 300, 5, { interruptAfterMs: 500, minInterruptWords: 2 }, false],
    ['five seconds need no words', 5000, 0, { interruptAfterMs: 500, minInterruptWords: 2 }, true],
    ['the longest setting', 4999, 0, { interruptAfterMs: 5000, minInterruptWords: 0 }, false],
  ])('%s', (_sentence, lengthMs, words, policy, expected) => {
    expect(isInterruption(spoken(lengthMs), words, policy)).toBe(expected);
  });
});

describe('isFalseBargeIn', () => {
  it.each([
    ['not while the caller speaks', spoken(300), 9000, false],
    ['not before two seconds of silence', spoken(300, false), 3299, false],
    ['two seconds after the speech', spoken(300, false), 3300, true],
  ])('%s', (_sentence, activity, nowMs, expected) => {
    expect(isFalseBargeIn(activity, nowMs)).toBe(expected);
  });
});
