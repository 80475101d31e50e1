/** How late the event loop of this process is. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Between two samples, milliseconds. Each sample wakes the process. */
const SAMPLE_MS = 100;
const NANOSECONDS = 1_000_000;

/** Measures from `start` to `stop`. */
export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: SAMPLE_MS });

  start(): void {
    this.#histogram.enable();
  }

  stop(): void {
    this.#histogram.disable();
  }

  /** The 90th percentile of the delay since the last call, milliseconds; 0 without a sample. */
  take(): number {
    const delayMs = this.#histogram.percentile(90) / NANOSECONDS - SAMPLE_MS;
    this.#histogram.reset();
    return Math.max(0, delayMs);
  }
}
