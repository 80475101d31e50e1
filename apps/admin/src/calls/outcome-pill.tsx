/** The outcome of a call: a coloured shape and a label. Each outcome has its colour everywhere; the label has the meaning. */
import type { CallOutcome } from '@parley/contracts';
import type { ReactNode } from 'react';
import classes from './outcome-pill.module.css';
import pill from './status-pill.module.css';
import { texts } from './texts.ts';

/** The colour alone, beside a label. */
export function OutcomeDot({ outcome }: { outcome: CallOutcome }): ReactNode {
  return <span className={classes['dot']} data-outcome={outcome} aria-hidden="true" />;
}

/** The colour and the label. */
export function OutcomePill({ outcome }: { outcome: CallOutcome }): ReactNode {
  return (
    <span className={pill['pill']} data-testid="call-outcome" data-outcome={outcome}>
      <OutcomeDot outcome={outcome} />
      {texts.outcomes[outcome]}
    </span>
  );
}
