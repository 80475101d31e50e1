/** The time for what is written relative to it. */
import { useSyncExternalStore } from 'react';
import { currentTimeMs } from './clock.ts';

/** How exact relative times are, ms. */
const STEP_MS = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const one of listeners) one();
  }, STEP_MS / 2);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time in steps of half a minute, milliseconds since 1970. All rows of a list share one timer. */
export function useCurrentTime(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(currentTimeMs() / STEP_MS) * STEP_MS);
}
