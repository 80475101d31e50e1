import { Secret } from 'otpauth';
import { expect, it } from 'vitest';
import { stepOfCode } from './totp.ts';

/** The seed of RFC 6238, appendix B; the codes there have eight digits, of which these are the last six. */
const SECRET = Secret.fromLatin1('12345678901234567890').base32;

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('at %i s the code of RFC 6238 is %s', (seconds, code) => {
  expect(stepOfCode(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

it.each(['', '28708', '2870820', 'abcdef', '２８７０８２'])('%j is no code', (code) => {
  expect(stepOfCode(SECRET, code, 59_000)).toBeNull();
});
