/** A list of named values. */
import { Fragment, type ReactNode } from 'react';
import classes from './facts.module.css';

/** A name and its value; `null`, `false` and the empty string are shown as a dash. */
export type Fact = readonly [name: string, value: ReactNode];

/** `columns` lays the pairs side by side on wide screens. */
export function Facts({
  facts,
  layout = 'rows',
}: {
  facts: readonly Fact[];
  layout?: 'rows' | 'columns';
}): ReactNode {
  return (
    <dl className={classes['facts']} data-layout={layout}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <div className={classes['fact']}>
            <dt>{name}</dt>
            <dd>{value === null || value === undefined || value === false || value === '' ? '–' : value}</dd>
          </div>
        </Fragment>
      ))}
    </dl>
  );
}
