/** Shows whether the page receives live updates. */
import type { ReactNode } from 'react';
import { type LiveStatus, useLiveFeed } from '../calls/live-feed.tsx';
import classes from './live-indicator.module.css';
import { texts } from './texts.ts';

const WORDS: Record<LiveStatus, { label: string; title: string }> = {
  live: { label: texts.live.live.label, title: texts.live.live.title },
  connecting: { label: texts.live.connecting.label, title: texts.live.connecting.title },
  broken: { label: texts.live.broken.label, title: texts.live.broken.title },
  paused: { label: texts.live.paused.label, title: texts.live.paused.title },
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
