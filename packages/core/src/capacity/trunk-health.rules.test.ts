import { describe, expect, it } from 'vitest';
import { healthAfter, trunkStateAt, type TrunkHealth } from './trunk-health.rules.ts';

const NOW = new Date('2026-01-01T12:00:00Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

const HEALTHY: TrunkHealth = { pausedUntil: null, pauseSeconds: 0 };
const paused = (pauseSeconds: number, untilSeconds: number): TrunkHealth => ({
  pauseSeconds,
  pausedUntil: at(untilSeconds),
});

const FAULT = { isFault: true, sentAt: at(-5) };
const WELL = { isFault: false, sentAt: at(-5) };
const recent = (calls: number, faults: number) => ({ recent: { calls, faults }, now: NOW });

describe('the health of a trunk', () => {
  it.each([
    ['healthy', HEALTHY],
    ['paused', paused(30, 1)],
    ['on-trial', paused(30, 0)],
    ['on-trial', paused(30, -100)],
  ])('is %s', (state, health) => {
    expect(trunkStateAt(health, NOW)).toBe(state);
  });

  it.each([
    ['most of ten calls are faults: it is paused', HEALTHY, FAULT, recent(10, 6), paused(30, 30)],
    ['half of ten are not most', HEALTHY, FAULT, recent(10, 5), null],
    ['nine calls are too few to judge', HEALTHY, FAULT, recent(9, 9), null],
    ['a call that begins well pauses nothing', HEALTHY, WELL, recent(20, 15), null],
    ['while it is paused nothing changes', paused(30, 10), FAULT, recent(20, 20), null],
    ['a call from before the pause that begins well', paused(30, 10), WELL, recent(20, 20), null],
    [
      'while it is paused nothing changes, whatever another clock says',
      paused(30, 10),
      { isFault: true, sentAt: at(11) },
      recent(1, 1),
      null,
    ],
    [
      'a call that was sent as the pause ended is its trial',
      paused(30, -10),
      { isFault: true, sentAt: at(-10) },
      recent(1, 1),
      paused(60, 60),
    ],
    ['its trial fails: twice as long', paused(30, -10), FAULT, recent(1, 1), paused(60, 60)],
    ['never longer than ten minutes', paused(600, -10), FAULT, recent(1, 1), paused(600, 600)],
    ['its trial begins well: healthy', paused(240, -10), WELL, recent(1, 0), HEALTHY],
    [
      'a fault from before the pause is not its trial',
      paused(30, -10),
      { isFault: true, sentAt: at(-11) },
      recent(1, 1),
      null,
    ],
    [
      'a late answer from before the pause is not its trial',
      paused(30, -10),
      { isFault: false, sentAt: at(-11) },
      recent(1, 0),
      null,
    ],
  ] as const)('%s', (_what, health, outcome, known, expected) => {
    expect(healthAfter(health, outcome, known)).toEqual(expected);
  });
});
