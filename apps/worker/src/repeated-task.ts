/** Repeats a task, with a pause after each run, for the lifetime of the process. */
import { pause, type Clock, type Log, type Service } from '@parley/runtime';

export interface RepeatedTaskOptions {
  name: string;
  /** From the end of one run to the beginning of the next, milliseconds. */
  pauseMs: number;
  run: () => Promise<void>;
  clock: Clock;
  log: Log;
}

/** Only the first of consecutive failures is logged; the next run tries again. */
export function createRepeatedTask({ name, pauseMs, run, clock, log }: RepeatedTaskOptions): Service {
  const stopping = new AbortController();
  let repeating: Promise<void> | undefined;

  async function repeat(): Promise<void> {
    let hasFailed = false;
    while (!stopping.signal.aborted) {
      try {
        await run();
        if (hasFailed) log.info({ task: name }, 'A repeated task works again');
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) log.error({ task: name, err: error }, 'A repeated task failed; it is tried again');
        hasFailed = true;
      }
      await pause(clock, pauseMs, stopping.signal);
    }
  }

  return {
    async start() {
      repeating ??= repeat();
    },
    async stop() {
      stopping.abort();
      await repeating;
    },
  };
}
