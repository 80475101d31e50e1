import { expect, test } from 'vitest';
import { addedWords } from './added-words.rules.ts';

test.each([
  [0, 'No numbers were added.'],
  [1, '1 number is on the list.'],
  [2, '2 numbers are on the list.'],
])('%i added reads "%s"', (added, words) => {
  expect(addedWords(added)).toBe(words);
});
