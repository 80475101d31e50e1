import { expect, it } from 'vitest';
import { dayFigures, figureCharts, outcomeSeries } from './day-figures.rules.ts';

const row = { outbound: 2, answered: 1, talk_seconds: 90, cost: 0.5 };
const days = [
  { ...row, day: '2026-01-30', outcome: 'busy', calls: 2 },
  { ...row, day: '2026-02-01', outcome: 'talked', calls: 3 },
] as const;
const silence = [{ day: '2026-02-01', replies: 9, median_ms: 500, p95_ms: 1200 }];
const figures = dayFigures({ from: '2026-01-30', until: '2026-02-01', days, silence });

it('has the figures of every day, also of those without calls', () => {
  expect(figures.map(({ day, sums, silence: one }) => [day, sums.calls, one?.p95_ms])).toEqual([
    ['2026-01-30', 2, undefined],
    ['2026-01-31', 0, undefined],
    ['2026-02-01', 3, 1200],
  ]);
});

it('makes a series of each outcome that occurred', () => {
  expect(outcomeSeries(figures, days).map(({ colour, values }) => [colour, values])).toEqual([
    ['--parley-outcome-talked', [0, 0, 3]],
    ['--parley-outcome-busy', [2, 0, 0]],
  ]);
});

it('leaves a gap where nothing was measured, and sums the period', () => {
  const charts = figureCharts(figures, days, String, String);
  expect(charts.map(({ series, summary }) => [series.map(({ values }) => values), summary])).toEqual([
    [[[50, null, 50]], ['50 %']],
    [[[1.5, 0, 1.5]], ['3 min']],
    [[[0.5, 0, 0.5]], ['1']],
    [
      [
        [null, null, 500],
        [null, null, 1200],
      ],
      ['500', '1200'],
    ],
  ]);
});
