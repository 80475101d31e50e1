import { describe, expect, it } from 'vitest';
import {
  dayIn,
  formatAmount,
  formatDuration,
  formatHour,
  formatInstantWithZone,
  formatInZone,
  formatMilliseconds,
  instantOfLocal,
} from './format.rules.ts';

describe('numbers on screen', () => {
  it.each([
    [0, '0:00'],
    [9.9, '0:09'],
    [75, '1:15'],
    [3_599, '59:59'],
    [3_725, '1:02:05'],
    [-3, '0:00'],
  ])('%d seconds are written %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it('writes milliseconds as such below a second and as seconds above', () => {
    expect([formatMilliseconds(349.6), formatMilliseconds(1_240)]).toEqual(['350 ms', '1.2 s']);
  });

  it('writes a full hour without its minutes', () => {
    expect(formatHour('18:00')).toMatch(/^(18|6.PM)/);
    expect(formatHour('18:00')).not.toContain(':');
  });

  it('shows an instant of another place in its zone, which it names', () => {
    expect(formatInZone('2026-01-02T08:30:00.000000Z', 'Asia/Kolkata')).toMatch(/14:00|2:00.PM/);
    expect(formatInZone('2026-01-02T08:30:00.000000Z', 'Asia/Kolkata')).toMatch(/\(Asia\/Kolkata\)$/);
  });

  it.each([
    ['2026-01-31 10:05:59', 'Asia/Kolkata', '2026-01-31T04:35:59.000Z'],
    ['2026-07-01 00:30:00', 'America/New_York', '2026-07-01T04:30:00.000Z'],
    ['2026-03-29 03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['2026-03-29 01:59:00', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
  ])('the local date-time %s of %s is the instant %s', (local, zone, instant) => {
    expect(instantOfLocal(local, zone)).toBe(instant);
  });

  it('names the zone of the browser beside another zone', () => {
    const zone = new Date(0).toLocaleString([], { timeZoneName: 'short' }).split(' ').at(-1) ?? '';
    expect(formatInstantWithZone('1970-01-01T08:30:00Z')).toContain(zone);
  });
});

describe('amounts', () => {
  it.each<[number, string | null, number | undefined, string]>([
    [0.035, null, undefined, '0.035'],
    [1234.5, null, undefined, '1,234.50'],
    [0.030863, 'EUR', undefined, '€0.030863'],
    [1234.5, 'USD', undefined, '$1,234.50'],
    [1200, 'JPY', undefined, '¥1,200'],
    [0.5, 'CHF', undefined, 'CHF\u00a00.50'],
    [0.5, 'EUR', 4, '€0.5000'],
    [0.5, null, 4, '0.5000'],
  ])('%d %s is written %s', (amount, currency, decimals, text) => {
    expect(formatAmount(amount, currency, decimals)).toBe(text);
  });
});

it('names the day of an instant in a time zone', () => {
  expect(dayIn('2026-03-02T23:30:00.000000Z', 'UTC')).toBe('2026-03-02');
  expect(dayIn('2026-03-02T23:30:00.000000Z', 'Europe/Berlin')).toBe('2026-03-03');
});
