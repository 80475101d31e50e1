/** How many of a campaign's leads are done, as a bar and in numbers. */
import { Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { leadProgress } from './lead-progress.rules.ts';
import classes from './lead-progress.module.css';
import { texts } from './texts.ts';

/** In a cell of the list of campaigns. */
export function LeadProgress(counts: Parameters<typeof leadProgress>[0]): ReactNode {
  const { done, percent } = leadProgress(counts);
  return (
    <div className={classes['progress']} data-testid="campaign-progress" data-percent={percent}>
      <Progress value={percent} aria-label={texts.progress.done(percent)} />
      <span className={classes['count']}>
        {texts.list.done(done.toLocaleString('en'), counts.leads.toLocaleString('en'))}
      </span>
    </div>
  );
}
