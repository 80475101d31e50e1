/** An instant on screen: how long ago it was, or how far ahead it is, and its date with the time zone. */
import type { ReactNode } from 'react';
import { useCurrentTime } from '../client/current-time.ts';
import { formatInstant, formatInstantWithZone } from './format.rules.ts';
import { formatRelative, isWithinDay } from './relative-time.rules.ts';
import classes from './instant.module.css';

interface InstantProps {
  /** ISO 8601 with a zone. */
  at: string;
}

/** For lists: relative within a day, then the date. The tooltip is the date with its time zone. */
export function Instant({ at }: InstantProps): ReactNode {
  const nowMs = useCurrentTime();
  return (
    <time dateTime={at} title={formatInstantWithZone(at)}>
      {isWithinDay(at, nowMs) ? formatRelative(at, nowMs) : formatInstant(at)}
    </time>
  );
}

/** For facts: the date with its time zone, then relative. */
export function FullInstant({ at }: InstantProps): ReactNode {
  return (
    <>
      <time dateTime={at}>{formatInstantWithZone(at)}</time>{' '}
      <span className={classes['relative']}>{formatRelative(at, useCurrentTime())}</span>
    </>
  );
}
