/** Whether the machine stood still during a call that this process held in real time. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const SAMPLE_MS = 10;
const NANOSECONDS = 1_000_000;
/** Jitter buffers hide shorter stalls. */
const STALL_MS = 100;

/** @returns what `hold` did, and whether this process could not run for a while meanwhile */
export async function withStalls<Result>(
  hold: () => Promise<Result>,
): Promise<{ result: Result; hasStalled: boolean }> {
  const delays = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delays.enable();
  try {
    const result = await hold();
    return { result, hasStalled: delays.max / NANOSECONDS > STALL_MS };
  } finally {
    delays.disable();
  }
}
