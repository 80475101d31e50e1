/**
 * Turns files of users into text, in a thread of its own: a file may be made to take very long or very much memory, and
 * must not stop the jobs of the worker.
 */
import { Worker } from 'node:worker_threads';
import type { Clock } from '@parley/runtime';

/** What a thread is to read. */
export interface FileToExtract {
  type: 'pdf' | 'docx' | 'txt' | 'md' | 'html';
  content: Uint8Array;
  /** Nothing more is read after this many. */
  maxCharacters: number;
}

/** The text and, of a web page, its links; or why there is none, as a sentence for the owner. */
export type Extract = { text: string; links: string[] } | { failure: string };

const TIME_LIMIT_MS = 60_000;
const HEAP_LIMIT_MB = 512;
/** Growth of the process. The limit of the heap does not include buffers, into which compressed parts of a PDF are unpacked. */
const GROWTH_LIMIT_BYTES = 1024 ** 3;
const WATCH_MS = 100;

const TOO_LARGE: Extract = { failure: 'It needs too much memory to be read.' };

/** Never rejects for a file that cannot be read. */
export async function extractText(clock: Clock, file: FileToExtract): Promise<Extract> {
  const { promise, resolve } = Promise.withResolvers<Extract>();
  const thread = new Worker(new URL('./extract-worker.ts', import.meta.url), {
    workerData: file,
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
  const limit = clock.after(TIME_LIMIT_MS, () => resolve({ failure: 'It takes too long to be read.' }));
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
