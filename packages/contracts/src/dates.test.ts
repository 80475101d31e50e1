import { expect, test } from 'vitest';
import { isoMicroseconds, isoMicrosecondsField, localDateTime, localDateTimeField } from './dates.ts';

test('an instant in UTC carries microseconds and a Z', () => {
  const text = isoMicroseconds(new Date('2026-01-31T09:05:00.120Z'));
  expect(text).toBe('2026-01-31T09:05:00.120000Z');
  expect(isoMicrosecondsField.safeParse(text).success).toBe(true);
});

test.each([
  ['2026-01-31T09:05:00.999Z', 'UTC', '2026-01-31 09:05:00'],
  ['2026-01-31T23:30:00Z', 'Europe/Berlin', '2026-02-01 00:30:00'],
  ['2026-07-31T23:30:00Z', 'Europe/Berlin', '2026-08-01 01:30:00'],
  ['2026-01-01T00:00:00Z', 'Asia/Kolkata', '2026-01-01 05:30:00'],
  ['2026-01-01T00:00:00Z', 'America/New_York', '2025-12-31 19:00:00'],
  // The hour that happens twice and the one that does not happen at all.
  ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25 02:30:00'],
  ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29 03:00:00'],
  ['0999-01-01T12:00:00Z', 'UTC', '0999-01-01 12:00:00'],
])('%s in %s is %s', (instant, zone, expected) => {
  const text = localDateTime(new Date(instant), zone);
  expect(text).toBe(expected);
  expect(localDateTimeField.safeParse(text).success).toBe(true);
});

test.each([
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Caracas',
  'Africa/Casablanca',
])('local date-times in %s are what Intl says, around every change of the offset', (timeZone) => {
  const intl = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const hour = 3_600_000;
  const offsetOf = (ms: number) => Date.parse(`${intl.format(ms).replace(' ', 'T')}Z`) - ms;
  for (let ms = Date.UTC(2011, 0, 1); ms < Date.UTC(2027, 0, 1); ms += 24 * hour) {
    const hasChanged = offsetOf(ms) !== offsetOf(ms + 24 * hour);
    const step = hasChanged ? 5 * 60_000 : 24 * hour;
    for (let at = ms; at < ms + 24 * hour; at += step) {
      expect(localDateTime(new Date(at + 999), timeZone)).toBe(intl.format(at));
    }
  }
});
