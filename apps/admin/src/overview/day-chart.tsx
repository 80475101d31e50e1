/** The calls of each day as a bar, divided by outcome. Every part leads to its calls. */
import type { CallOutcome } from '@parley/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts as callTexts } from '../calls/texts.ts';
import classes from './day-chart.module.css';
import type { Sums } from './overview-figures.rules.ts';
import { texts } from './texts.ts';

interface Day {
  day: string;
  parts: readonly { outcome: CallOutcome; sums: Sums }[];
}

/** Above this many bars their labels do not fit. */
const MOST_LABELS = 7;

function Part({
  day,
  outcome,
  share,
  calls,
}: {
  day: string;
  outcome: CallOutcome;
  share: number;
  calls: number;
}): ReactNode {
  const label = texts.chart.part(day, callTexts.outcomes[outcome], calls);
  return (
    <Link
      to="/calls"
      search={{ from: day, until: day, outcome }}
      className={classes['part'] ?? ''}
      style={{
        height: `${share * 100}%`,
        background: `var(--parley-outcome-${outcome.replaceAll('_', '-')})`,
      }}
      title={label}
      aria-label={label}
    />
  );
}

function shortDay(day: string): string {
  return new Date(day).toLocaleDateString([], { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

/** The busiest day has the full height. */
export function DayChart({ days }: { days: readonly Day[] }): ReactNode {
  const countOf = ({ parts }: Day): number => parts.reduce((sum, { sums }) => sum + sums.calls, 0);
  const most = Math.max(1, ...days.map(countOf));
  return (
    <ol className={classes['chart']} data-many={days.length > MOST_LABELS} aria-label={texts.chart.title}>
      {days.map(({ day, parts }) => (
        <li key={day} className={classes['day']}>
          <div className={classes['bar']}>
            {parts.map(({ outcome, sums }) => (
              <Part key={outcome} day={day} outcome={outcome} share={sums.calls / most} calls={sums.calls} />
            ))}
          </div>
          <div className={classes['label']}>{shortDay(day)}</div>
        </li>
      ))}
    </ol>
  );
}
