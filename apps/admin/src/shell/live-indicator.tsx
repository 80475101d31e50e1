/** Says whether rows on the page renew themselves. */
import type { ReactNode } from 'react';
import { type LiveStatus, useLiveFeed } from '../calls/live-feed.tsx';
import classes from './live-indicator.module.css';

const WORDS: Record<LiveStatus, { label: string; title: string }> = {
  live: { label: 'Live', title: 'Calls appear and change by themselves' },
  connecting: { label: 'Connecting', title: 'Opening the live connection' },
  broken: { label: 'Not live', title: 'The live connection failed; reload the page to see changes' },
  paused: { label: 'Paused', title: 'Live updates rest while this tab is hidden' },
};

/** A dot and a word. */
export function LiveIndicator(): ReactNode {
  const { status } = useLiveFeed();
  const { label, title } = WORDS[status];
  return (
    <span
      role="status"
      className={classes['indicator']}
      data-status={status}
      data-testid="live-indicator"
      title={title}
    >
      <span className={classes['dot']} aria-hidden="true" />
      {label}
    </span>
  );
}
