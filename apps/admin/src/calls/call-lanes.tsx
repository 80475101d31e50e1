/** The small wave form of a call in a list: who spoke when, the customer above, the assistant below. */
import type { CallLanes as Lanes, CallSummary } from '@parley/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { laneShapes } from './call-lanes.rules.ts';
import classes from './call-lanes.module.css';

/** The lanes of the ended calls of a list, by id. */
export function useCallLanes(calls: readonly CallSummary[]): ReadonlyMap<number, Lanes> {
  const ids = calls.filter(({ outcome, duration }) => outcome !== null && duration > 0).map(({ id }) => id);
  const lanes = useQuery({
    ...useTRPC().calls.lanes.queryOptions({ ids }),
    enabled: ids.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  return new Map(lanes.data?.map((one) => [one.call_id, one]));
}

/** Hidden from screen readers, which read the duration beside it. Has its size before the lanes are known. */
export function CallLanes({ lanes }: { lanes: Lanes | undefined }): ReactNode {
  return (
    <svg
      className={classes['lanes']}
      viewBox="0 0 100 16"
      preserveAspectRatio="none"
      aria-hidden="true"
      data-testid={lanes && 'call-lanes'}
    >
      {lanes &&
        laneShapes(lanes).map(({ sender, left, width }, place) => (
          <rect
            key={place}
            data-sender={sender}
            x={left}
            width={width}
            y={sender === 'human' ? 0 : 9}
            height={7}
          />
        ))}
    </svg>
  );
}
