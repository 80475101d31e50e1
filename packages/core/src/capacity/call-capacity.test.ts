import { describe, expect, test } from 'vitest';
import { routeOptionsWithin, takeSlot, type CallCapacity } from './call-capacity.ts';
import { isLimited, type StoredTrunk } from './load-route-options.ts';
import type { TrunkHold } from './route-call.rules.ts';

const HOLD: TrunkHold = { reason: 'trunk_calls', until: null, trunkId: 1 };
const TRUNK: StoredTrunk = {
  id: 1,
  userId: null,
  reach: 'any',
  isTest: false,
  priority: 50,
  pricePerMinute: null,
  callerNumber: null,
  maxCalls: null,
  maxCps: null,
  pausedUntil: null,
  pauseSeconds: 0,
  spentUntil: null,
};

function capacityOf(free: number): CallCapacity {
  return { account: 5, fleet: 9, trunks: new Map([[1, { free, hold: HOLD }]]) };
}

describe('a trunk', () => {
  test.each([
    ['is held when it is full', 1, 0, HOLD],
    ['is held when its limit was lowered below its calls', 1, -1, HOLD],
    ['takes another call with a free slot', 1, 1, null],
    ['without a limit takes another call', 2, 0, null],
  ])('%s', (_what, id, free, hold) => {
    const destinations = { allowedCountries: null, blockedKinds: new Set<string>() };
    const options = { trunks: [{ ...TRUNK, id }], numbers: [], destinations };
    expect(routeOptionsWithin(options, capacityOf(free))).toMatchObject({
      trunks: [{ id, hold }],
      numbers: [],
    });
  });

  test('that has used up its day is held until the next one, also with a free slot', () => {
    const until = new Date('2026-01-02T00:00:00Z');
    const destinations = { allowedCountries: null, blockedKinds: new Set<string>() };
    const options = { trunks: [{ ...TRUNK, spentUntil: until }], numbers: [], destinations };
    const hold = { reason: 'daily_limit', until, trunkId: 1 };
    expect(routeOptionsWithin(options, capacityOf(1)).trunks).toMatchObject([{ hold }]);
    expect(routeOptionsWithin(options, capacityOf(0)).trunks).toMatchObject([{ hold }]);
  });

  test.each([
    ['has no limit', {}, false],
    ['has a limit of calls', { maxCalls: 0 }, true],
    ['has a limit of calls per second', { maxCps: 1 }, true],
    ['is paused or on trial', { pauseSeconds: 1 }, true],
  ])('%s', (_what, fields, expected) => {
    expect(isLimited({ ...TRUNK, ...fields })).toBe(expected);
  });
});

describe('a call that begins', () => {
  test.each([
    ['on a limited trunk', 1, 2],
    ['on another trunk', 2, 3],
  ])('takes a slot of each limit: %s', (_what, trunkId, free) => {
    const capacity = capacityOf(3);
    takeSlot(capacity, trunkId);
    expect(capacity).toEqual({ account: 4, fleet: 8, trunks: new Map([[1, { free, hold: HOLD }]]) });
  });
});
