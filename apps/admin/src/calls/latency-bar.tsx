/** The wait before one answer, stage by stage, and what the stages are. Screen readers skip the bar: the wait is beside it. */
import type { ReactNode } from 'react';
import { formatMilliseconds } from '../ui/format.rules.ts';
import classes from './latency-bar.module.css';
import { stageName } from './stage-name.rules.ts';
import { texts } from './texts.ts';
import type { StageSpan } from './turn-times.rules.ts';

/** Each stage is paler than the one before it; the palest is still visible on a dark surface. */
function opacityOf(stage: string, stages: readonly string[]): number {
  return Math.max(0.35, 1 - stages.indexOf(stage) * 0.13);
}

interface LatencyBarProps {
  spans: readonly StageSpan[];
  /** The stages of all turns of the call. */
  stages: readonly string[];
  /** The time that the full width stands for, the same for all bars of a call. */
  scaleMs: number;
}

/** Nothing without stages. */
export function LatencyBar({ spans, stages, scaleMs }: LatencyBarProps): ReactNode {
  const last = spans.at(-1);
  if (!last) return null;
  return (
    <span className={classes['line']}>
      <svg
        className={classes['bar']}
        viewBox={`0 0 ${scaleMs} 8`}
        preserveAspectRatio="none"
        aria-hidden="true"
        data-testid="latency-bar"
      >
        {spans.map(({ stage, fromMs, untilMs }) => (
          <rect
            key={stage}
            data-stage={stage}
            x={fromMs}
            width={untilMs - fromMs}
            height={8}
            opacity={opacityOf(stage, stages)}
          />
        ))}
      </svg>
      <span data-testid="wait">{texts.transcript.answeredAfter(formatMilliseconds(last.untilMs))}</span>
    </span>
  );
}

/** Names the stages of the bars, once for all turns. */
export function LatencyLegend({ stages }: { stages: readonly string[] }): ReactNode {
  return (
    <div className={classes['legend']}>
      <span>{texts.transcript.bars}</span>
      <ul className={classes['stages']}>
        {stages.map((stage) => (
          <li key={stage}>
            <svg className={classes['swatch']} viewBox="0 0 8 8" aria-hidden="true">
              <rect width={8} height={8} opacity={opacityOf(stage, stages)} />
            </svg>
            {stageName(stage)}
          </li>
        ))}
      </ul>
    </div>
  );
}
