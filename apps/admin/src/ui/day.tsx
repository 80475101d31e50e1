/** The day of an instant, with the full time as its tooltip. */
import type { ReactNode } from 'react';
import { formatDay, formatInstant } from './format.rules.ts';

/** @param otherwise - shown without an instant */
export function Day({ at, otherwise = '–' }: { at: string | null; otherwise?: string }): ReactNode {
  if (at === null) return otherwise;
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatDay(at)}
    </time>
  );
}
