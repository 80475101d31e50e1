import { expect, test } from 'vitest';
import { PhraseEar } from './talk-ear.ts';

const PHRASE_MS = 800;
const WORDS = [
  ['a', 'table', 'for', 'two'],
  ['no', 'rather', 'for', 'three'],
];

/** Sound in pieces of 40 ms. @returns what was guessed */
function setup() {
  const ear = new PhraseEar(PHRASE_MS, WORDS);
  const hear = (ms: number, isLoud: boolean): string[] =>
    Array.from({ length: ms / 40 }, () => {
      const sound = Buffer.alloc(640);
      if (isLoud) sound.writeInt16LE(5000, 320);
      return ear.hear(sound);
    }).filter((guess) => guess !== null);
  return { ear, hear };
}

test('words are guessed as they are said, each before its end', () => {
  const { hear } = setup();
  expect(hear(400, true)).toEqual(['a', 'a table']);
  expect(hear(400, true)).toEqual(['a table for', 'a table for two']);
});

test('what was taken stands, and a short pause in the phrase begins no other', () => {
  const { ear, hear } = setup();
  hear(400, true);
  hear(120, false);
  expect(ear.take()).toBe('a table');
  expect(hear(280, true).at(-1)).toBe('for two');
  expect(ear.take()).toBe('for two');
  expect(ear.take()).toBe('');
});

test('after a phrase comes the next one, and no word of the first is lost', () => {
  const { ear, hear } = setup();
  hear(800, true);
  hear(160, false);
  hear(800, true);
  expect(ear.take()).toBe('a table for two no rather for three');
});
