import { describe, expect, test } from 'vitest';
import type { CallCapacity } from './call-capacity.ts';
import { holdForTrunk, holdOf } from './campaign-hold.ts';
import type { RouteTrunk, TrunkHold } from './route-call.rules.ts';

const UNTIL = new Date('2026-01-01T12:00:00Z');
const FREE: CallCapacity = { account: 1, fleet: 1, trunks: new Map() };

function trunk(id: number, hold: Partial<TrunkHold> | null): RouteTrunk {
  const full: TrunkHold = { reason: 'trunk_calls', until: null, trunkId: id };
  const trunkHold = hold && { ...full, ...hold };
  return {
    id,
    userId: 7,
    reach: 'any',
    isTest: false,
    priority: 50,
    pricePerMinute: null,
    callerNumber: null,
    hold: trunkHold,
  };
}

describe('the limit that a campaign waits for', () => {
  test.each([
    ['none while everything is free', FREE, [trunk(1, null)], null],
    ['none without a trunk: no call can begin', FREE, [], null],
    ['its account', { ...FREE, account: 0 }, [], { key: 'account:7', until: null }],
    ['its account, lowered below its calls', { ...FREE, account: -1 }, [], { key: 'account:7', until: null }],
    ['the voice fleet', { ...FREE, fleet: 0 }, [], { key: 'fleet', until: null }],
    [
      'its account before the fleet',
      { ...FREE, account: 0, fleet: 0 },
      [],
      { key: 'account:7', until: null },
    ],
    [
      'the first of its trunks when all are full',
      FREE,
      [trunk(1, { until: UNTIL }), trunk(2, {})],
      { key: 'trunk:1', until: UNTIL },
    ],
    ['none while one of its trunks is free', FREE, [trunk(1, {}), trunk(2, null)], null],
    ['none where no trunk could carry the call', FREE, [trunk(1, { trunkId: null })], null],
  ])('is %s', (_what, capacity, trunks, expected) => {
    expect(holdOf(7, capacity, trunks)).toEqual(expected);
  });

  test('is a trunk until the given time', () => {
    const hold: TrunkHold = { reason: 'trunk_rate', until: null, trunkId: 3 };
    expect(holdForTrunk(hold, UNTIL)).toEqual({ key: 'trunk:3', until: UNTIL });
    expect(holdForTrunk({ ...hold, trunkId: null }, UNTIL)).toBeNull();
  });
});
