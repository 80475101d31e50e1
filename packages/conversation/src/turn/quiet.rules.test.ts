import { describe, expect, it } from 'vitest';
import { decideWhileQuiet, isTimeToWrapUp, type Quiet } from './quiet.rules.ts';

const policy = { reEngagementMs: 10_000, maxSilenceMs: 40_000, maxCallMs: 600_000 };
const quiet: Quiet = {
  sinceMs: 100_000,
  callerSilentSinceMs: 100_000,
  checkIns: 0,
  hasAskedToWait: false,
  isGreetingDue: false,
  isWrapUpRequested: false,
};

describe('decideWhileQuiet', () => {
  it.each([
    ['just before the interval', {}, 109_999, 'wait'],
    ['after the interval a check-in', {}, 110_000, 'check-in'],
    ['the interval begins anew after a check-in', { sinceMs: 112_000, checkIns: 1 }, 121_999, 'wait'],
    ['and asks for the next', { sinceMs: 112_000, checkIns: 2 }, 122_000, 'check-in'],
    ['three in a row are enough', { sinceMs: 112_000, checkIns: 3 }, 130_000, 'wait'],
    ['a caller who should begin hears the greeting', { isGreetingDue: true }, 110_000, 'greet'],
    ['silence has its own limit', { sinceMs: 138_000, checkIns: 2 }, 140_000, 'say-goodbye'],
    ['just before that limit', { sinceMs: 138_000, checkIns: 2 }, 139_999, 'wait'],
    ['goodbye also instead of the greeting', { isGreetingDue: true }, 140_000, 'say-goodbye'],
  ] as const)('%s', (_sentence, change, nowMs, expected) => {
    expect(decideWhileQuiet({ ...quiet, ...change }, policy, nowMs)).toBe(expected);
  });

  it.each([
    ['ten seconds before the end the model receives a notice', false, 590_000, 'wrap-up'],
    ['once', true, 592_000, 'wait'],
    ['and not earlier', false, 589_999, 'wait'],
  ] as const)('%s', (_sentence, isWrapUpRequested, nowMs, expected) => {
    const late = { ...quiet, sinceMs: 585_000, callerSilentSinceMs: 585_000, isWrapUpRequested };
    expect(decideWhileQuiet(late, policy, nowMs)).toBe(expected);
  });

  it('a silence limit below the interval leaves no check-in', () => {
    const impatient = { ...policy, maxSilenceMs: 5000 };
    const decisions = Array.from({ length: 60 }, (_none, n) =>
      decideWhileQuiet(quiet, impatient, 100_000 + n * 100),
    );
    expect(new Set(decisions)).toEqual(new Set(['wait', 'say-goodbye']));
  });
});

describe('isTimeToWrapUp', () => {
  it.each([
    ['a very short call in its second half', 12_000, 5999, false],
    ['from there on', 12_000, 6000, true],
    ['a usual one ten seconds before its end', 60_000, 50_000, true],
  ])('%s', (_sentence, maxCallMs, nowMs, expected) => {
    expect(isTimeToWrapUp({ ...policy, maxCallMs }, nowMs)).toBe(expected);
  });
});
