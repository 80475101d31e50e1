import { expect, test } from 'vitest';
import { missedSipGoals, type SipFigures } from './sip-goals.rules.ts';

const REACHED: SipFigures = {
  ownMicros: 400,
  sippMicros: 27,
  callsPerSecond: 500,
  failed: 0,
  retransmitted: 0,
};

test.each<[Partial<SipFigures>, string[]]>([
  [{}, []],
  [{ ownMicros: 401 }, ['P10 processor time of a call, microseconds: 401.0, goal 400']],
  [{ sippMicros: 25 }, ['P10 processor time over that of SIPp: 16.0, goal 15']],
  [{ callsPerSecond: 499 }, ['P10 calls per second: 499.0, goal 500']],
  [{ failed: 1 }, ['P10 failed calls: 1.0, goal 0']],
  [{ ownMicros: Number.NaN }, [expect.any(String), expect.any(String)]],
])('%j misses %j', (change, missed) => {
  expect(missedSipGoals({ ...REACHED, ...change })).toEqual(missed);
});
