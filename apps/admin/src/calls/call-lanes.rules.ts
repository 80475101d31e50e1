/** Where the turns of a call are in its small wave form. */
import type { CallLanes } from '@parley/contracts';

/** A turn; `left` and `width` are percent of the width of the picture. */
export interface LaneShape {
  sender: 'bot' | 'human';
  left: number;
  width: number;
}

/** A short word stays visible. */
const LEAST_WIDTH = 1;
const WHOLE = 100;

/** The picture ends with the last turn. */
export function laneShapes({ turns }: CallLanes): LaneShape[] {
  const endMs = Math.max(1, ...turns.map(([, , end]) => end));
  return turns.map(([sender, start, end]) => {
    const width = Math.max(LEAST_WIDTH, ((end - start) / endMs) * WHOLE);
    return { sender, left: Math.min((start / endMs) * WHOLE, WHOLE - width), width };
  });
}
