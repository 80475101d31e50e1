/** The wait before one answer, stage by stage. The figures are below it, so screen readers skip the bar. */
import type { ReactNode } from 'react';
import classes from './transcript.module.css';
import type { StageSpan } from './turn-times.rules.ts';

interface LatencyBarProps {
  spans: readonly StageSpan[];
  /** The time that the full width stands for, the same for all bars of a call. */
  scaleMs: number;
}

/** Nothing without stages. */
export function LatencyBar({ spans, scaleMs }: LatencyBarProps): ReactNode {
  if (spans.length === 0) return null;
  return (
    <span className={classes['latencyLine']}>
      <svg
        className={classes['latency']}
        viewBox={`0 0 ${scaleMs} 6`}
        preserveAspectRatio="none"
        aria-hidden="true"
        data-testid="latency-bar"
      >
        {spans.map(({ stage, fromMs, untilMs }, place) => (
          <rect
            key={stage}
            data-stage={stage}
            x={fromMs}
            width={untilMs - fromMs}
            height={6}
            // Each stage is paler than the one before it.
            opacity={Math.max(0.25, 1 - place * 0.15)}
          />
        ))}
      </svg>
    </span>
  );
}
