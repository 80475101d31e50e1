/** How loud both sides are right now. */
import type { ReactNode, RefObject } from 'react';
import classes from './talk-meters.module.css';
import type { Talk } from './use-talk.ts';
import { texts } from './texts.ts';

interface MeterProps {
  label: string;
  side: 'customer' | 'assistant';
  meter: RefObject<HTMLDivElement | null>;
}

function Meter({ label, side, meter }: MeterProps): ReactNode {
  return (
    <div className={classes['row']}>
      <span className={classes['label']}>{label}</span>
      {/* The length follows the variable `--level`, which the session sets directly. */}
      <div
        ref={meter}
        className={classes['track']}
        data-side={side}
        data-testid={`meter-${side}`}
        aria-hidden="true"
      >
        <div className={classes['bar']} />
      </div>
    </div>
  );
}

/** One bar for each side. */
export function TalkMeters({ talk, assistantName }: { talk: Talk; assistantName: string }): ReactNode {
  return (
    <div className={classes['meters']}>
      <Meter
        label={talk.isMuted ? texts.meters.muted : texts.meters.you}
        side="customer"
        meter={talk.microphoneMeter}
      />
      <Meter label={assistantName} side="assistant" meter={talk.assistantMeter} />
    </div>
  );
}
