/** The body of a request or of an answer. */
import type { ReactNode } from 'react';
import classes from '../calls/deliveries.module.css';

interface BodyTextProps {
  label: string;
  text: string;
  /** It is what the page is about. */
  isTall?: boolean;
}

/** A scrollable region must be reachable by keyboard. */
export function BodyText({ label, text, isTall = false }: BodyTextProps): ReactNode {
  return (
    <pre className={`${classes['body']} ${isTall ? classes['tall'] : ''}`} tabIndex={0} aria-label={label}>
      {text}
    </pre>
  );
}
