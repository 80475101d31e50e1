/** The calls of a period as charts: outcomes, answer rate, talk time, cost and silence by day; and all of it as a table. */
import { Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DayChart } from '../charts/day-chart.tsx';
import { inBackground } from '../client/in-background.ts';
import { useAmounts } from '../session/use-amounts.ts';
import { formatMilliseconds } from '../ui/format.rules.ts';
import { Section } from '../ui/section.tsx';
import classes from './call-charts.module.css';
import { dayFigures, figureCharts, outcomeSeries, type Period } from './day-figures.rules.ts';
import { DayTable } from './day-table.tsx';
import { texts } from './texts.ts';

const OUTCOMES_HEIGHT = 200;
const FIGURE_HEIGHT = 140;

interface CallChartsProps {
  /** The title of the chart of outcomes. */
  title: string;
  period: Period;
  /** The campaign whose calls a click on a day opens; without it, all calls. */
  campaignId?: number;
  /** Below the chart of outcomes. */
  children?: ReactNode;
}

/** Numbers of calls are whole: the axis of a few calls has other marks too, which stay empty. */
function wholeNumber(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en') : '';
}

/** All charts have the same days, and open the calls of the chosen one. */
export function CallCharts({ title, period, campaignId, children }: CallChartsProps): ReactNode {
  const navigate = useNavigate();
  const { format } = useAmounts();
  const figures = dayFigures(period);
  const days = figures.map(({ day }) => day);
  const outcomes = outcomeSeries(figures, period.days);
  const openDay = (day: string): void =>
    inBackground(
      navigate({
        to: '/calls',
        search: { from: day, until: day, ...(campaignId !== undefined && { campaign: campaignId }) },
      }),
    );
  return (
    <>
      <Section title={title}>
        <Stack gap="lg">
          <DayChart
            title={title}
            kind="bars"
            days={days}
            series={outcomes}
            height={OUTCOMES_HEIGHT}
            format={wholeNumber}
            summary={outcomes.map(({ values }) =>
              wholeNumber(values.reduce<number>((sum, value) => sum + (value ?? 0), 0)),
            )}
            onPick={openDay}
          />
          {children}
        </Stack>
      </Section>
      <div className={classes['grid']}>
        {figureCharts(figures, period.days, format, formatMilliseconds).map((chart) => (
          <Section key={chart.title} title={chart.title}>
            <DayChart {...chart} days={days} height={FIGURE_HEIGHT} onPick={openDay} />
          </Section>
        ))}
      </div>
      <details>
        <summary className={classes['summary']}>{texts.table.show}</summary>
        <DayTable figures={figures} outcomes={outcomes} />
      </details>
    </>
  );
}
