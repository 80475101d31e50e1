/** Waits until processes say that they can work. */
import { pause, type Clock } from '@parley/runtime';

export interface ReadinessOptions {
  /** Base addresses by name; each is asked for `/readyz`. */
  urls: Readonly<Record<string, string>>;
  limitMs: number;
  clock: Clock;
  /** Aborted when waiting has become useless. */
  signal: AbortSignal;
}

const ASK_INTERVAL_MS = 50;
const ANSWER_LIMIT_MS = 2_000;

/** @returns the processes that were not ready at the end of the wait, with their last responses */
export async function waitUntilReady(options: ReadinessOptions): Promise<Record<string, string>> {
  const { urls, limitMs, clock, signal } = options;
  const untilMs = clock.monotonic() + limitMs;
  const missing = await Promise.all(
    Object.entries(urls).map(async ([name, url]) => {
      let fault = await askReadiness(url);
      while (fault !== null && clock.monotonic() < untilMs && !signal.aborted) {
        await pause(clock, ASK_INTERVAL_MS, signal);
        fault = await askReadiness(url);
      }
      return [name, fault] as const;
    }),
  );
  return Object.fromEntries(missing.filter((entry): entry is [string, string] => entry[1] !== null));
}

async function askReadiness(url: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    return response.ok ? null : await response.text();
  } catch {
    return 'does not answer yet';
  }
}
