import { describe, expect, it } from 'vitest';
import { isPhrase, readHypothesis } from './hypothesis.rules.ts';

/** As printed by pocketsphinx_batch 5prealpha for "Monday" and for a hum. */
const MONDAY =
  'stdin S 0 T -3401 A -2727 L -674 0 -250 -337 <sil> 13 -2098 0 phrase0(2) 74 -200 -337 <sil> 107';
const NOTHING = 'stdin S 0 T 0 A 0 L 0 102';

describe('an answer of PocketSphinx', () => {
  it('tells the words, their score and how long they are', () => {
    expect(readHypothesis(MONDAY)).toEqual({ words: ['phrase0(2)'], acousticScore: -2727, speechFrames: 61 });
  });

  it.each([[NOTHING], [''], ['stdin S 0'], ['x S 0 T 1 A -5 L 0 0 -5 0 <sil> 9']])(
    'may hold nothing: %s',
    (line) => {
      expect(readHypothesis(line)).toBeNull();
    },
  );

  const phrase = { words: ['phrase0'], acousticScore: -2000, speechFrames: 50 };
  it.each([
    ['a phrase fits as well as free sounds', { ...phrase, acousticScore: -2000 }, true],
    ['a phrase fits hardly worse than free sounds', { ...phrase, acousticScore: -1700 }, true],
    ['free sounds fit far better', { ...phrase, acousticScore: -1600 }, false],
    ['free sounds could not be measured', null, false],
  ])('%s', (_name, anySounds, expected) => {
    expect(isPhrase(phrase, anySounds)).toBe(expected);
  });
});
