import { expect, test } from 'vitest';
import { countRequest } from './rate-limit.rules.ts';

const START = 1_000_000;

test.each([
  ['the first request opens a window', undefined, START, { isAllowed: true, remaining: 1, secondsLeft: 60 }],
  [
    'the last request within the limit is allowed',
    { startedAtMs: START, used: 1 },
    START + 500,
    { isAllowed: true, remaining: 0, secondsLeft: 60 },
  ],
  [
    'a further request is refused',
    { startedAtMs: START, used: 2 },
    START + 59_999,
    { isAllowed: false, remaining: 0, secondsLeft: 1 },
  ],
  [
    'a new window begins after the end of the previous one',
    { startedAtMs: START, used: 9 },
    START + 60_000,
    { isAllowed: true, remaining: 1, secondsLeft: 60 },
  ],
  [
    'a clock that was set back begins a new window',
    { startedAtMs: START, used: 9 },
    START - 1,
    { isAllowed: true, remaining: 1, secondsLeft: 60 },
  ],
])('%s', (_name, window, nowMs, expected) => {
  expect(countRequest(window, 2, nowMs).allowance).toMatchObject(expected);
});
