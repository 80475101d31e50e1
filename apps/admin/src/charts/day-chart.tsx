/**
 * A chart over days, or over minutes. Pointer and arrow keys choose one, whose figures are written below the chart; Enter and
 * a click open its calls. Screen readers meet a slider over the days with these figures as its text.
 */
import { useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { inBackground } from '../client/in-background.ts';
import { onceReachable } from '../client/once-reachable.ts';
import { type ChartData, type ChartSeries, shortDay } from './chart-data.rules.ts';
import type { DrawnChart } from './draw-chart.ts';
import classes from './day-chart.module.css';
import { texts } from './texts.ts';

interface DayChartProps extends ChartData {
  title: string;
  /** CSS pixels. */
  height: number;
  format: (value: number) => string;
  /** What is written below the chart while no day is chosen, for each series. */
  summary: readonly string[];
  /** What the summary is of; left out: the whole period. */
  period?: string;
  /** Opens the calls of a day; left out: nothing opens. */
  onPick?: (day: string) => void;
}

const loadDrawing = onceReachable(() => import('./draw-chart.ts'));

/** Loads what draws, then draws. A change of the data, the colours or the size draws again. */
function useDrawing(props: DayChartProps, onPoint: (day: number | null) => void) {
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart | null>(null);
  const newest = useRef(props);
  newest.current = props;
  const scheme = useComputedColorScheme('light');
  const shown = JSON.stringify([props.days, props.series, props.kind]);
  useEffect(() => {
    let isGone = false;
    const draw = async (): Promise<void> => {
      const { drawChart } = await loadDrawing();
      if (isGone || !frame.current) return;
      const { height, format } = newest.current;
      const onPick = (day: number): void => newest.current.onPick?.(newest.current.days[day] ?? '');
      drawn.current = drawChart(frame.current, newest.current, { height, format, onPoint, onPick });
    };
    inBackground(draw());
    return () => {
      isGone = true;
      drawn.current?.remove();
      drawn.current = null;
    };
  }, [scheme, shown, onPoint]);
  return { frame, drawn };
}

function Legend({ series, figures }: { series: readonly ChartSeries[]; figures: readonly string[] }) {
  return (
    <ul className={classes['legend']}>
      {series.map(({ name, colour }, place) => (
        <li key={name}>
          <span className={classes['mark']} style={{ background: `var(${colour})` }} aria-hidden="true" />
          {name} <span className={classes['value']}>{figures[place]}</span>
        </li>
      ))}
    </ul>
  );
}

/** Where a key leads from a day; undefined for other keys. */
function dayAfter(key: string, day: number | null, count: number): number | undefined {
  const at = day ?? count;
  const moves: Record<string, number> = {
    ArrowLeft: Math.max(0, at - 1),
    ArrowRight: Math.min(count - 1, at + 1),
    Home: 0,
    End: count - 1,
  };
  return moves[key];
}

/** Has its full height before it is drawn. */
export function DayChart(props: DayChartProps): ReactNode {
  const { title, days, label = shortDay, series, format, summary, height, onPick } = props;
  const { period = texts.period } = props;
  const [day, setDay] = useState<number | null>(null);
  const { frame, drawn } = useDrawing(props, setDay);
  const figures = series.map(({ values }, place) => {
    if (day === null) return summary[place] ?? '';
    const value = values[day] ?? null;
    return value === null ? texts.none : format(value);
  });
  const when = day === null ? period : label(days[day] ?? '');
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && day !== null) onPick?.(days[day] ?? '');
    const next = dayAfter(event.key, day, days.length);
    if (next === undefined) return;
    event.preventDefault();
    drawn.current?.point(next);
  };
  return (
    <div>
      <div
        ref={frame}
        className={classes['frame']}
        style={{ height }}
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={days.length - 1}
        aria-valuenow={day ?? days.length - 1}
        aria-valuetext={`${when}: ${series.map(({ name }, place) => `${name} ${figures[place]}`).join(', ')}`}
        onKeyDown={onKeyDown}
        data-testid="day-chart"
      />
      <div className={classes['under']} aria-hidden="true">
        <span className={classes['when']}>{when}</span>
        <Legend series={series} figures={figures} />
      </div>
    </div>
  );
}
