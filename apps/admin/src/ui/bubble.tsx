/** One turn of a conversation as a chat bubble: the assistant at the left, the customer at the right. */
import type { ReactNode } from 'react';
import classes from './bubble.module.css';

interface BubbleProps {
  side: 'bot' | 'human';
  speaker: string;
  /** Times, latencies and the like, below the text. */
  foot?: ReactNode;
  isCurrent?: boolean;
  children: ReactNode;
}

/** Shows the speaker's name above the text. */
export function Bubble({ side, speaker, foot, isCurrent = false, children }: BubbleProps): ReactNode {
  return (
    <div className={classes['bubble']} data-side={side} data-current={isCurrent}>
      <span className={classes['speaker']}>{speaker}</span>
      <div className={classes['text']}>{children}</div>
      {foot && <div className={classes['foot']}>{foot}</div>}
    </div>
  );
}
