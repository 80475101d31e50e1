import { expect, it } from 'vitest';
import { mayCallNumber } from './token-limits.rules.ts';

it.each([
  [null, true],
  [undefined, true],
  [[], false],
  [['+12025550142'], true],
  [['+12025550143'], false],
  [['+1202555014'], false],
  [['+1202555*'], true],
  [['+44*', '+1*'], true],
  [['+44*'], false],
])('%j allows +12025550142: %s', (allowed, expected) => {
  expect(mayCallNumber(allowed, '+12025550142')).toBe(expected);
});
