/**
 * The clock of the worker threads for media. They do not load `@parley/runtime` with its log and settings
 * (docs/decisions/media-worker.md).
 */
import type { Clock } from '@parley/runtime';

/** The clock of the machine. */
export const mediaClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const handle = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(handle) };
  },
};
