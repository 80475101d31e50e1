/** The scale below a picture of a week: midnight to midnight. */
import type { ReactNode } from 'react';
import { formatHour } from '../ui/format.rules.ts';
import classes from './week-hours.module.css';

/** At equal distances; the last one is the midnight after the day. */
const TIMES = { start: '00:00', morning: '06:00', noon: '12:00', evening: '18:00', end: '00:00' };

/** Hours in the browser's language. */
export function DayScale(): ReactNode {
  return (
    <div className={classes['day']}>
      <span />
      <div className={classes['hours']}>
        {Object.entries(TIMES).map(([name, time]) => (
          <span key={name}>{formatHour(time)}</span>
        ))}
      </div>
    </div>
  );
}
