/**
 * For how long the database has been reachable. While it was away no voice process could renew its lease, so for some
 * seconds afterwards all of them look dead and are not.
 */
import { pause, type Clock, type Service } from '@parley/runtime';

export interface Reachability extends Service {
  /** Milliseconds since the database began to answer without a break; 0 while it does not. */
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
