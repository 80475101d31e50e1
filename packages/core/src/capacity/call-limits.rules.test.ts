import { describe, expect, it } from 'vitest';
import { mayShare, trunkCapacityOf, usableSlots, type TrunkLoad } from './call-limits.rules.ts';

const NOW = new Date('2026-01-01T12:00:00Z');
const IDLE: TrunkLoad = {
  id: 5,
  maxCalls: null,
  maxCps: null,
  pausedUntil: null,
  pauseSeconds: 0,
  live: 0,
  unsent: 0,
  onTrial: 0,
};
const PAST = new Date(NOW.getTime() - 1);
const FUTURE = new Date(NOW.getTime() + 30_000);

describe('the free slots of a trunk', () => {
  it.each([
    ['no limit', {}, Infinity, 'trunk_paused'],
    ['calls at once', { maxCalls: 10, live: 7 }, 3, 'trunk_calls'],
    ['at its limit', { maxCalls: 10, live: 10 }, 0, 'trunk_calls'],
    ['above a lowered limit', { maxCalls: 2, live: 3 }, -1, 'trunk_calls'],
    ['calls for two seconds of its rate may wait', { maxCps: 5, unsent: 4 }, 6, 'trunk_rate'],
    ['as many calls wait as its rate allows', { maxCps: 5, unsent: 10 }, 0, 'trunk_rate'],
    ['the tighter one counts', { maxCalls: 100, live: 99, maxCps: 5 }, 1, 'trunk_calls'],
    ['paused', { pauseSeconds: 30, pausedUntil: FUTURE, maxCalls: 10 }, 0, 'trunk_paused'],
    ['on trial: one', { pauseSeconds: 30, pausedUntil: PAST, maxCalls: 10 }, 1, 'trunk_paused'],
    ['its trial is under way', { pauseSeconds: 30, pausedUntil: PAST, onTrial: 1 }, 0, 'trunk_paused'],
  ] as const)('%s', (_what, fields, free, reason) => {
    const capacity = trunkCapacityOf({ ...IDLE, ...fields }, NOW);
    expect(capacity.free).toBe(free);
    expect(capacity.hold).toMatchObject({ reason, trunkId: 5 });
  });

  it.each([
    ['a pause ends', { pauseSeconds: 30, pausedUntil: FUTURE }, FUTURE],
    ['a trial tells by itself', { pauseSeconds: 30, pausedUntil: PAST, onTrial: 1 }, null],
    ['a call ends', { maxCalls: 1, live: 1 }, null],
    ['a second passes', { maxCps: 1, unsent: 2 }, new Date(NOW.getTime() + 1_000)],
  ])('is looked at again when %s', (_what, fields, until) => {
    expect(trunkCapacityOf({ ...IDLE, ...fields }, NOW).hold.until).toEqual(until);
  });
});

describe('counting near a limit', () => {
  it.each([
    ['far from it, a few calls', 1_024, 4, true],
    ['no limit', Infinity, 1, true],
    ['near it', 1_023, 1, false],
    ['far from it, many calls', 100_000, 5, false],
  ])('%s: beside others is %s', (_what, free, wanted, expected) => {
    expect(mayShare(free, wanted)).toBe(expected);
  });

  it.each([
    ['alone: what was counted', 3, false, 3],
    ['alone, above a lowered limit', -2, false, 0],
    ['beside others, still far away', 512, true, 512],
    ['beside others, shrunk meanwhile', 511, true, 0],
  ])('%s', (_what, free, isShared, expected) => {
    expect(usableSlots(free, isShared)).toBe(expected);
  });
});
