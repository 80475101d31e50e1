/**
 * For how long the database has been reachable. During an outage no voice process can renew its lease, so for some seconds
 * afterwards all voice processes appear to be dead.
 */
import { pause, type Clock, type Service } from '@parley/runtime';

export interface Reachability extends Service {
  /** Milliseconds for which the database has answered without interruption; 0 while it does not answer. */
  forMs(): number;
}

const CHECK_INTERVAL_MS = 1_000;

/** @param ping - rejects when the database does not answer */
export function watchReachability(clock: Clock, ping: () => Promise<void>): Reachability {
  const stopping = new AbortController();
  let reachableSinceMs: number | null = null;
  let watching: Promise<void> | undefined;

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isReachable = await ping().then(
        () => true,
        () => false,
      );
      reachableSinceMs = isReachable ? (reachableSinceMs ?? clock.monotonic()) : null;
      await pause(clock, CHECK_INTERVAL_MS, stopping.signal);
    }
  }

  return {
    async start() {
      watching ??= watch();
    },
    async stop() {
      stopping.abort();
      await watching;
    },
    forMs: () => (reachableSinceMs === null ? 0 : clock.monotonic() - reachableSinceMs),
  };
}
