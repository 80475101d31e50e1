import { describe, expect, it } from 'vitest';
import { nextUtcDay, sumOfCosts, verdictOfUsage, warningsOf, type ScopeUsage } from './dial-usage.rules.ts';

const UNLIMITED: ScopeUsage = {
  scope: 'user',
  subjectId: 1,
  calls: 0,
  cost: 0,
  recentCalls: 0,
  waitMs: null,
  callsPerSecond: null,
  callsPerDay: null,
  costPerDay: null,
};

describe('the limits of a dial', () => {
  it.each<[what: string, usages: Partial<ScopeUsage>[], expected: unknown]>([
    ['nothing is limited', [{ calls: 1e6, cost: 1e6, recentCalls: 1000 }], null],
    ['one call is left', [{ calls: 9, callsPerDay: 10 }], null],
    [
      'the last call was made',
      [{ calls: 10, callsPerDay: 10 }],
      { reason: 'calls_per_day', scope: 'user', max: 10 },
    ],
    ['a limit of 0 allows none', [{ callsPerDay: 0 }], { reason: 'calls_per_day', scope: 'user', max: 0 }],
    [
      'the costs are reached',
      [{ cost: 5, costPerDay: 5 }],
      { reason: 'cost_per_day', scope: 'user', max: 5 },
    ],
    ['the costs are not reached', [{ cost: 4.99, costPerDay: 5 }], null],
    [
      'the second is full',
      [{ recentCalls: 2, waitMs: 300, callsPerSecond: 2 }],
      { reason: 'wait', waitMs: 300 },
    ],
    ['the second has a place', [{ recentCalls: 1, waitMs: 300, callsPerSecond: 2 }], null],
    [
      'the longest wait of several counts',
      [
        { recentCalls: 2, waitMs: 300, callsPerSecond: 2 },
        { scope: 'trunk', recentCalls: 5, waitMs: 700, callsPerSecond: 5 },
      ],
      { reason: 'wait', waitMs: 700 },
    ],
    [
      'a limit of the day comes before a wait',
      [
        { recentCalls: 2, waitMs: 300, callsPerSecond: 2 },
        { scope: 'token', calls: 3, callsPerDay: 3 },
      ],
      { reason: 'calls_per_day', scope: 'token', max: 3 },
    ],
  ])('%s', (_what, usages, expected) => {
    expect(verdictOfUsage(usages.map((usage) => ({ ...UNLIMITED, ...usage })))).toEqual(expected);
  });

  it.each<[what: string, usage: Partial<ScopeUsage>, expected: string[]]>([
    ['far away', { calls: 0, callsPerDay: 10 }, []],
    ['the call is the 79th of 100', { calls: 78, callsPerDay: 100 }, []],
    ['the call is the 80th of 100', { calls: 79, callsPerDay: 100 }, ['calls_per_day 80']],
    [
      'the call is the 100th of 100',
      { calls: 99, callsPerDay: 100 },
      ['calls_per_day 80', 'calls_per_day 100'],
    ],
    ['costs of 80 %', { cost: 8, costPerDay: 10 }, ['cost_per_day 80']],
    ['costs just below the limit', { cost: 9.999999, costPerDay: 10 }, ['cost_per_day 80']],
    ['costs above the limit', { cost: 12, costPerDay: 10 }, ['cost_per_day 80', 'cost_per_day 100']],
    ['no costs, and none allowed', { cost: 0, costPerDay: 0 }, []],
    ['the fourth of five in a second', { recentCalls: 3, callsPerSecond: 5 }, ['calls_per_second 80']],
  ])('a warning: %s', (_what, usage, expected) => {
    const warnings = warningsOf([{ ...UNLIMITED, ...usage }], 1);
    expect(warnings.map(({ measure, thresholdPercent }) => `${measure} ${thresholdPercent}`)).toEqual(
      expected,
    );
  });

  it('without a dial only what is used counts', () => {
    const usage = { ...UNLIMITED, calls: 79, callsPerDay: 100 };
    expect(warningsOf([usage], 0)).toEqual([]);
  });

  it('costs are added exactly to a millionth', () => {
    expect(sumOfCosts(0.1, 0.2)).toBe(0.3);
  });

  it('begin anew at midnight UTC', () => {
    expect(nextUtcDay(new Date('2026-12-31T23:59:59Z'))).toEqual(new Date('2027-01-01T00:00:00Z'));
  });
});
