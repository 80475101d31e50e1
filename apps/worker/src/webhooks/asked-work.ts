/** Work that is done again as often as it is asked for, one run at a time; asking twice during a run is one more run. */

export interface AskedWork {
  ask: () => void;
  /** Resolves when nothing is being done and nothing is asked for. */
  idle(): Promise<void>;
}

/**
 * @param work - must not reject
 * @param rest - between a run and the next, so that those who ask meanwhile are served together; must not reject
 */
export function createAskedWork(work: () => Promise<void>, rest?: () => Promise<void>): AskedWork {
  let isAsked = false;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (isAsked) {
      isAsked = false;
      await work();
      if (rest) await rest();
    }
    // In the same breath as the look above, so that nobody can ask in between and be forgotten.
    running = null;
  }

  return {
    ask() {
      isAsked = true;
      running ??= run();
    },
    idle: async () => running ?? undefined,
  };
}
