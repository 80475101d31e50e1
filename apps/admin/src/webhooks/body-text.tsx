/** The body of a request or of an answer. */
import type { ReactNode } from 'react';
import classes from '../calls/deliveries.module.css';

/** A scrollable region must be reachable by keyboard. */
export function BodyText({ label, text }: { label: string; text: string }): ReactNode {
  return (
    <pre className={classes['body']} tabIndex={0} aria-label={label}>
      {text}
    </pre>
  );
}
