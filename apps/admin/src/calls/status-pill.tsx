/** A call's status: a coloured dot and a word. The word carries the meaning, the colour only helps. */
import type { CallStatus } from '@parley/contracts';
import type { ReactNode } from 'react';
import { statusLook } from './call-status.rules.ts';
import { texts } from './texts.ts';
import classes from './status-pill.module.css';

/** The dot of a live call pulses. */
export function StatusPill({ status }: { status: CallStatus }): ReactNode {
  const { tone, isLive } = statusLook(status);
  return (
    <span
      className={classes['pill']}
      data-tone={tone}
      data-live={isLive}
      data-status={status}
      data-testid="call-status"
    >
      <span className={classes['dot']} aria-hidden="true" />
      {texts.status[status]}
    </span>
  );
}
