import { describe, expect, it } from 'vitest';
import { formatDuration, formatInZone, formatLocalDateTime, formatMilliseconds } from './format.rules.ts';

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

  it('shows an instant of another place in its zone, which it names', () => {
    expect(formatInZone('2026-01-02T08:30:00.000000Z', 'Asia/Kolkata')).toMatch(/14:00|2:00.PM/);
    expect(formatInZone('2026-01-02T08:30:00.000000Z', 'Asia/Kolkata')).toMatch(/\(Asia\/Kolkata\)$/);
  });

  it('shows local date-times as they are, without seconds', () => {
    expect(formatLocalDateTime('2026-01-31 10:05:59')).toMatch(/31.*10:05/);
  });
});
