import { expect, test } from 'vitest';
import { nextStep, pauseBeforeNextLook } from './sms-state.rules.ts';

const HOUR_MS = 3_600_000;

test.each([
  ['a new message is sent', 'queued', 0, 0, 'send'],
  ['a message that was just handed over waits for its answer', 'sending', 1_000, 1_000, 'wait'],
  ['one without an answer is looked for, and not sent again', 'sending', HOUR_MS, 60_000, 'look-for'],
  ['the carrier is asked about a message that it has', 'sent', HOUR_MS, HOUR_MS, 'ask'],
  ['after a day it is not asked any more', 'sent', 25 * HOUR_MS, HOUR_MS, 'none'],
  ['a delivered message is settled', 'delivered', 0, 0, 'none'],
  ['an undelivered message is settled', 'undelivered', 0, 0, 'none'],
  ['a failed message is settled', 'failed', 0, 0, 'none'],
  ['an unknown message is settled', 'unknown', 0, 0, 'none'],
] as const)('%s', (_sentence, status, ageMs, unchangedMs, expected) => {
  expect(nextStep(status, { ageMs, unchangedMs })).toBe(expected);
});

test.each([
  [0, 10_000],
  [60_000, 60_000],
  [5 * HOUR_MS, HOUR_MS],
])('after %i ms the next look follows %i ms later', (ageMs, expected) => {
  expect(pauseBeforeNextLook(ageMs)).toBe(expected);
});
