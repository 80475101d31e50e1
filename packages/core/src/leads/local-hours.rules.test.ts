import { expect, test } from 'vitest';
import { explainLocalHours, explainNoCommonHours } from './local-hours.rules.ts';

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const window = { timezone: 'UTC', allowedFrom: '09:00:00', allowedUntil: '18:00:00', allowedDays: days };
/** A Thursday, 07:05 in New York, 12:05 in London. */
const at = new Date('2026-01-01T12:05:00Z');

test.each([
  [[], null],
  [['Europe/London'], null],
  [
    ['Europe/London', 'America/New_York'],
    'The calling window (09:00 to 18:00) is closed in the time zone of the number: it is 07:05 on Thursday in America/New_York.',
  ],
  [
    ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'],
    'The calling window (09:00 to 18:00) is closed in the time zone of the number: it is 07:05 on Thursday in America/New_York, 06:05 on Thursday in America/Chicago, 05:05 on Thursday in America/Denver, and closed in 1 more.',
  ],
])('the local time in %s', (zones, expected) => {
  expect(explainLocalHours(window, zones, at)).toBe(expected);
});

test('zones whose hours never overlap are named', () => {
  expect(explainNoCommonHours(window, ['Asia/Tokyo'])).toBe(
    'The calling window (09:00 to 18:00) is never open in UTC and in the time zones of the number (Asia/Tokyo) at the same time.',
  );
});
