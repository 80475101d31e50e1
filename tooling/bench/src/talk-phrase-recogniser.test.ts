import { expect, test } from 'vitest';
import { PhraseRecogniser } from './talk-phrase-recogniser.ts';

const PHRASE_MS = 800;
const WORDS = [
  ['a', 'table', 'for', 'two'],
  ['no', 'rather', 'for', 'three'],
];

/** `push` sends sound in chunks of 40 ms and returns the interim transcripts. */
function setup() {
  const recogniser = new PhraseRecogniser(PHRASE_MS, WORDS);
  const push = (ms: number, isLoud: boolean): string[] =>
    Array.from({ length: ms / 40 }, () => {
      const sound = Buffer.alloc(640);
      if (isLoud) sound.writeInt16LE(5000, 320);
      return recogniser.push(sound);
    }).filter((transcript) => transcript !== null);
  return { recogniser, push };
}

test('interim transcripts grow during speech, each word before its end', () => {
  const { push } = setup();
  expect(push(400, true)).toEqual(['a', 'a table']);
  expect(push(400, true)).toEqual(['a table for', 'a table for two']);
});

test('a final transcript is returned once, and a short pause within the phrase begins no new phrase', () => {
  const { recogniser, push } = setup();
  push(400, true);
  push(120, false);
  expect(recogniser.take()).toBe('a table');
  expect(push(280, true).at(-1)).toBe('for two');
  expect(recogniser.take()).toBe('for two');
  expect(recogniser.take()).toBe('');
});

test('the next phrase follows without a loss of words of the first', () => {
  const { recogniser, push } = setup();
  push(800, true);
  push(160, false);
  push(800, true);
  expect(recogniser.take()).toBe('a table for two no rather for three');
});
