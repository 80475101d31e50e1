/** Runs a task on request, one run at a time. Any number of requests during a run cause one more run. */

export interface CoalescedWork {
  request: () => void;
  /** Resolves when nothing is running and nothing was requested. */
  idle(): Promise<void>;
}

/**
 * @param work - must not reject
 * @param rest - awaited between two runs, so that requests in between share the next run; must not reject
 */
export function createCoalescedWork(work: () => Promise<void>, rest?: () => Promise<void>): CoalescedWork {
  let isRequested = false;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (isRequested) {
      isRequested = false;
      await work();
      if (rest) await rest();
    }
    // Synchronous with the last check of the loop, so that no request can be lost in between.
    running = null;
  }

  return {
    request() {
      isRequested = true;
      running ??= run();
    },
    idle: async () => running ?? undefined,
  };
}
