import { describe, expect, it } from 'vitest';
import { formatRelative, isWithinDay } from './relative-time.rules.ts';

describe('relative times', () => {
  const at = '2026-01-31T12:00:00.000Z';
  const written = (value: number, unit: Intl.RelativeTimeFormatUnit): string =>
    new Intl.RelativeTimeFormat(undefined, { numeric: value === 0 ? 'auto' : 'always' }).format(value, unit);

  it.each([
    ['2026-01-31T12:00:59Z', 0, 'second'],
    ['2026-01-31T11:59:01Z', 0, 'second'],
    ['2026-01-31T12:01:00Z', -1, 'minute'],
    ['2026-01-31T12:59:59Z', -59, 'minute'],
    ['2026-01-31T11:30:00Z', 30, 'minute'],
    ['2026-01-31T13:00:00Z', -1, 'hour'],
    ['2026-02-01T11:59:00Z', -23, 'hour'],
    ['2026-02-01T12:00:00Z', -1, 'day'],
    ['2026-03-31T12:00:00Z', -59, 'day'],
  ] as const)('at %s it was %d %s', (now, value, unit) => {
    expect(formatRelative(at, Date.parse(now))).toBe(written(value, unit));
    expect(isWithinDay(at, Date.parse(now))).toBe(unit !== 'day');
  });
});
