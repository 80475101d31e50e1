import { findCharacter } from '@parley/phones';
import { expect, test } from 'vitest';
import { NumberBook } from './numbers.ts';

const BOOK = { seed: 1, ringMs: { first: 1, last: 1 }, answerRate: 0, talkMs: { first: 1, last: 1 } };

test.each([
  ['busy', { takes: 'refuses', status: 486 }],
  ['declines', { takes: 'refuses', status: 603 }],
  ['away', { takes: 'ignores' }],
  ['impatient', { takes: 'answers' }],
  ['silent', { takes: 'answers' }],
] as const)('numbers of those who are %s belong to such people', (habit, expected) => {
  const numbers = new NumberBook().take(habit, 300);
  expect(new Set(numbers).size).toBe(300);
  for (const number of numbers) expect(findCharacter(number, BOOK)).toMatchObject(expected);
});

test('each number is assigned once', () => {
  const book = new NumberBook();
  const numbers = [...book.take('busy', 20), ...book.crowd(200, () => 0.5)];
  expect(new Set(numbers).size).toBe(220);
});

test('fails when there are not enough numbers', () => {
  expect(() => new NumberBook().take('silent', 701)).toThrow(RangeError);
});
