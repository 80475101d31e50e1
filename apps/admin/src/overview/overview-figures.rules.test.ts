import { expect, it } from 'vitest';
import { daysOf, percentOf, sumOf, sumsByOutcome } from './overview-figures.rules.ts';
import { readOverviewSearch } from './overview-search.rules.ts';

const row = { outbound: 2, answered: 1, talk_seconds: 30, cost: 0.5 };
const rows = [
  { ...row, day: '2026-01-30', outcome: 'busy', calls: 2 },
  { ...row, day: '2026-02-01', outcome: 'talked', calls: 3 },
  { ...row, day: '2026-02-01', outcome: 'busy', calls: 1 },
] as const;

it('adds up all calls, and those of each outcome', () => {
  expect(sumOf(rows)).toEqual({ calls: 6, outbound: 6, answered: 3, talk_seconds: 90, cost: 1.5 });
  expect(sumsByOutcome(rows).map(({ outcome, sums }) => [outcome, sums.calls])).toEqual([
    ['talked', 3],
    ['busy', 3],
  ]);
  expect([percentOf(1, 3), percentOf(0, 0)]).toEqual([33, null]);
});

it('has every day of the period, also across months and without calls', () => {
  const days = daysOf({ from: '2026-01-30', until: '2026-02-01', days: rows });
  expect(days.map(({ day, parts }) => [day, parts.length])).toEqual([
    ['2026-01-30', 1],
    ['2026-01-31', 0],
    ['2026-02-01', 2],
  ]);
});

it('reads the period of a URL', () => {
  expect([{ days: 30 }, { days: '90' }, { days: 8 }, {}].map(readOverviewSearch)).toEqual([
    { days: 30 },
    { days: 90 },
    {},
    {},
  ]);
});
