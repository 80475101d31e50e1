/**
 * Runs work on a file or text of a user in a thread of its own: it may be made to take very long or very much memory, and must
 * not stop the other work of the process.
 */
import { Worker } from 'node:worker_threads';
import type { Clock } from './clock.ts';

/** A thread that posts one message, its result. */
export interface LimitedWork {
  /** The module of the thread. */
  file: URL;
  workerData: unknown;
  /** Milliseconds. */
  timeLimitMs: number;
  clock: Clock;
}

/** Why there is no result, as a sentence for the owner of the file. */
export interface ThreadFailure {
  failure: string;
}

const HEAP_LIMIT_MB = 512;
/** Growth of the process. The limit of the heap does not include buffers, into which compressed parts of a file are unpacked. */
const GROWTH_LIMIT_BYTES = 1024 ** 3;
const WATCH_MS = 100;

const TOO_LARGE: ThreadFailure = { failure: 'It needs too much memory to be read.' };

/** Never rejects for a file that cannot be read. */
export async function runLimited<Result>({
  file,
  workerData,
  timeLimitMs,
  clock,
}: LimitedWork): Promise<Result | ThreadFailure> {
  const { promise, resolve } = Promise.withResolvers<Result | ThreadFailure>();
  const thread = new Worker(file, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
    // Libraries may write warnings about a file of a user.
    stdout: true,
    stderr: true,
  });
  thread.once('message', resolve);
  thread.once('error', ({ code }: NodeJS.ErrnoException) =>
    resolve(code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_LARGE : { failure: 'It cannot be read.' }),
  );
  thread.once('exit', () => resolve({ failure: 'It cannot be read.' }));
  const limit = clock.after(timeLimitMs, () => resolve({ failure: 'It takes too long to be read.' }));
  const watch = watchMemory(clock, () => resolve(TOO_LARGE));
  try {
    return await promise;
  } finally {
    limit.cancel();
    watch.cancel();
    await thread.terminate();
  }
}

function watchMemory(clock: Clock, onTooLarge: () => void): { cancel(): void } {
  const limitBytes = process.memoryUsage.rss() + GROWTH_LIMIT_BYTES;
  let timer = clock.after(WATCH_MS, look);
  function look(): void {
    if (process.memoryUsage.rss() > limitBytes) onTooLarge();
    else timer = clock.after(WATCH_MS, look);
  }
  return { cancel: () => timer.cancel() };
}
