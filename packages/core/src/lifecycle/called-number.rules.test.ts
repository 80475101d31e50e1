import { expect, test } from 'vitest';
import { namesNumber } from './called-number.rules.ts';

test.each([
  ['+12025550123', true],
  ['12025550123', true],
  ['5550123', true],
  ['', false],
  ['1001', false],
  ['600', false],
  ['sales', false],
  ['account-7', false],
  ['49301234567', false],
])('the user part "%s" names a number: %s', (user, expected) => {
  expect(namesNumber(user, '49301234567')).toBe(expected);
});
