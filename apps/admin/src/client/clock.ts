/**
 * The clock of the browser, for all components that show relative times.
 */
import { useEffect, useState } from 'react';

/** Milliseconds since 1970. */
export function currentTimeMs(): number {
  return Date.now();
}

/**
 * The time, renewed while a component is mounted.
 *
 * @param intervalMs - the interval of updates; `null` stops them
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
