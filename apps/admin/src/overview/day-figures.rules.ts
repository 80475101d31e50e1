/** The figures of each day of a period, and the charts made of them. */
import type { CallsOfDay, SilenceOfDay } from '@parley/contracts';
import { texts as callTexts } from '../calls/texts.ts';
import { type ChartSeries, shortDay } from '../charts/chart-data.rules.ts';
import { daysOf, percentOf, type Sums, sumOf, sumsByOutcome } from './overview-figures.rules.ts';
import { texts } from './texts.ts';

/** What the server knows about a period. */
export interface Period {
  /** First and last day. */
  from: string;
  until: string;
  days: readonly CallsOfDay[];
  silence: readonly SilenceOfDay[];
}

/** One day. */
export interface DayFigures {
  day: string;
  sums: Sums;
  parts: ReturnType<typeof sumsByOutcome>;
  silence: SilenceOfDay | null;
}

const SECONDS_IN_MINUTE = 60;

/** Every day of the period. */
export function dayFigures({ silence, ...period }: Period): DayFigures[] {
  const measured = new Map(silence.map((one) => [one.day, one]));
  const calls = Map.groupBy(period.days, ({ day }) => day);
  return daysOf(period).map(({ day, parts }) => ({
    day,
    parts,
    sums: sumOf(calls.get(day) ?? []),
    silence: measured.get(day) ?? null,
  }));
}

/** A part for each outcome that occurred. */
export function outcomeSeries(figures: readonly DayFigures[], days: readonly CallsOfDay[]): ChartSeries[] {
  return sumsByOutcome(days).map(({ outcome }) => ({
    name: callTexts.outcomes[outcome],
    colour: `--parley-outcome-${outcome.replaceAll('_', '-')}`,
    values: figures.map(({ parts }) => parts.find((part) => part.outcome === outcome)?.sums.calls ?? 0),
  }));
}

/** A chart beside that of the outcomes. */
export interface FigureChart {
  title: string;
  kind: 'bars' | 'lines';
  series: ChartSeries[];
  format: (value: number) => string;
  /** For each series, of the whole period. */
  summary: string[];
  /** What the summary is of instead, where the whole period has no such figure. */
  period?: string;
}

/** Minutes in which people and assistants talked. */
export function talkMinutes({ talk_seconds: seconds }: Sums): number {
  return seconds / SECONDS_IN_MINUTE;
}

/** Answer rate, talk time, cost, and the silence before replies. */
export function figureCharts(
  figures: readonly DayFigures[],
  days: readonly CallsOfDay[],
  formatCost: (amount: number) => string,
  formatMilliseconds: (milliseconds: number) => string,
): FigureChart[] {
  const all = sumOf(days);
  // Percentiles of days do not add up to one of the period.
  const newest = figures.findLast(({ silence }) => silence !== null);
  const rate = percentOf(all.answered, all.outbound);
  const { charts } = texts;
  const line = (name: string, colour: string, of: (one: DayFigures) => number | null): ChartSeries => ({
    name,
    colour,
    values: figures.map(of),
  });
  return [
    {
      title: charts.answered,
      kind: 'lines',
      series: [
        line(charts.rate, '--parley-assistant', ({ sums }) => percentOf(sums.answered, sums.outbound)),
      ],
      format: texts.chart.share,
      summary: [rate === null ? '' : texts.chart.share(rate)],
    },
    {
      title: charts.talkTime,
      kind: 'bars',
      series: [line(charts.minutes, '--parley-assistant', ({ sums }) => talkMinutes(sums))],
      format: charts.ofMinutes,
      summary: [charts.ofMinutes(talkMinutes(all))],
    },
    {
      title: charts.cost,
      kind: 'bars',
      series: [line(charts.cost, '--parley-assistant', ({ sums }) => sums.cost)],
      format: formatCost,
      summary: [formatCost(all.cost)],
    },
    {
      title: charts.silence,
      kind: 'lines',
      series: [
        line(charts.median, '--parley-assistant', ({ silence }) => silence?.median_ms ?? null),
        line(charts.p95, '--parley-customer', ({ silence }) => silence?.p95_ms ?? null),
      ],
      format: formatMilliseconds,
      summary: [newest?.silence?.median_ms, newest?.silence?.p95_ms].map((figure) =>
        figure === undefined || figure === null ? '' : formatMilliseconds(figure),
      ),
      ...(newest && { period: shortDay(newest.day) }),
    },
  ];
}
