import { describe, expect, it } from 'vitest';
import type { CallingWindow } from './calling-window.rules.ts';
import { commonWindowAt } from './common-window.rules.ts';
import { zonesOfNumber } from './number-zones.rules.ts';

const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const HOURS: CallingWindow = {
  timezone: 'Europe/Berlin',
  allowedFrom: '09:00:00',
  allowedUntil: '17:00:00',
  allowedDays: WEEK,
};

/** A Thursday in winter: Berlin is UTC+1, New York UTC-5, Kolkata UTC+5:30. */
const at = (time: string): Date => new Date(`2026-01-01T${time}Z`);

function tell(zones: readonly string[], now: Date, window: Partial<CallingWindow> = {}): string {
  const state = commonWindowAt({ ...HOURS, ...window }, zones, now);
  if (state.isOpen) return `open until ${state.closesAt.toISOString()}`;
  return `closed until ${state.opensAt?.toISOString() ?? 'never'}`;
}

describe('hours in several time zones', () => {
  it.each([
    ['only its own', [], '10:00:00', 'open until 2026-01-01T16:00:00.000Z'],
    ['open here, closed there', ['America/New_York'], '10:00:00', 'closed until 2026-01-01T14:00:00.000Z'],
    ['open in both', ['America/New_York'], '14:00:00', 'open until 2026-01-01T16:00:00.000Z'],
    ['over here, open there', ['America/New_York'], '17:00:00', 'closed until 2026-01-02T14:00:00.000Z'],
    ['the earlier end counts', ['Asia/Kolkata'], '10:00:00', 'open until 2026-01-01T11:30:00.000Z'],
    ['hours that never meet', ['Pacific/Honolulu'], '10:00:00', 'closed until never'],
    ['three zones', ['Asia/Kolkata', 'America/New_York'], '10:00:00', 'closed until never'],
  ])('%s', (_what, zones, time, expected) => {
    expect(tell(zones, at(time))).toBe(expected);
  });

  it('no allowed day is no opening, ever', () => {
    const window = { ...HOURS, allowedDays: [] };
    expect(commonWindowAt(window, [], at('10:00:00'))).toEqual({ isOpen: false, opensAt: null });
  });

  it('an allowed day must be one in each zone', () => {
    const night = { allowedFrom: '00:00:00', allowedUntil: '23:59:00', allowedDays: ['thursday'] };
    expect(tell(['America/New_York'], at('02:00:00'), night)).toBe('closed until 2026-01-01T05:00:00.000Z');
    expect(tell([], at('02:00:00'), night)).toBe('open until 2026-01-01T23:00:00.000Z');
  });

  it('what is remembered of a window is never told of another instant', () => {
    const window = { ...HOURS };
    for (const [time, isOpen] of [
      ['15:59:59', true],
      ['16:00:00', false],
      ['15:59:59', true],
      ['13:59:59', false],
      ['14:00:00', true],
    ] as const) {
      expect(commonWindowAt(window, ['America/New_York'], at(time)).isOpen).toBe(isOpen);
    }
  });
});

describe('the time zones of a number', () => {
  it.each([
    ['+4915123456789', ['Europe/Berlin']],
    ['+34612345678', ['Africa/Ceuta', 'Atlantic/Canary']],
    ['+33612345678', ['Europe/Paris']],
    ['+442071838750', ['Europe/London']],
    ['+80012345678', []],
    ['not a number', []],
  ])('%s', (number, zones) => {
    expect(zonesOfNumber(number)).toEqual(zones);
  });

  it('a country of many has all of them', () => {
    const zones = zonesOfNumber('+12025550123');
    // One of each clock: two zones may be there under either name.
    const offsets = zones.map(
      (timeZone) =>
        new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
          .format(new Date('2026-07-01'))
          .split(', ')[1],
    );
    expect(offsets).toHaveLength(8);
    expect(new Set(offsets)).toEqual(
      new Set(['GMT-4', 'GMT-5', 'GMT-6', 'GMT-7', 'GMT-8', 'GMT-9', 'GMT-10']),
    );
  });
});
