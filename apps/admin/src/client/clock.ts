/**
 * The browser's clock, in one place: every component that shows passing time takes it from here.
 */
import { useEffect, useState } from 'react';

/** Milliseconds since 1970. */
export function currentTimeMs(): number {
  return Date.now();
}

/**
 * The time, renewed while a component is mounted.
 *
 * @param intervalMs - how often the component is drawn again; `null` stops it
 */
export function useNow(intervalMs: number | null): number {
  const [nowMs, setNowMs] = useState(currentTimeMs);
  useEffect(() => {
    if (intervalMs === null) return undefined;
    const timer = setInterval(() => setNowMs(currentTimeMs()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return nowMs;
}
