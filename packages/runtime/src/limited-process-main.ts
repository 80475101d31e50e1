/**
 * The process that `limited-process.ts` starts for one piece of work. A thread does it, and the main thread limits its time and
 * memory. When V8 cannot go on without memory it ends this process only.
 */
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { systemClock } from './clock.ts';
import type { WorkAnswer, WorkMessage } from './limited-process.ts';

const HEAP_LIMIT_MB = 512;
/** Growth of this process. The limit of the heap does not include buffers, into which compressed parts of a file are unpacked. */
const GROWTH_LIMIT_BYTES = 768 * 1024 ** 2;
const WATCH_MS = 50;
/** Above that of other processes, whose niceness is 0. */
const NICENESS = 5;

// Calls, dials and webhooks get three times as much of a busy processor.
setPriority(NICENESS);
// An interrupt from the keyboard reaches this process too. It ends with the process that started it, which may wait for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => process.exit());
process.once('message', (message) => run(message as WorkMessage));

function run({ file, workerData, processorLimitMs }: WorkMessage): void {
  const thread = new Worker(new URL(file), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
  });
  thread.once('message', (result: unknown) => answer({ result }));
  thread.once('error', ({ code }: NodeJS.ErrnoException) =>
    answer(code === 'ERR_WORKER_OUT_OF_MEMORY' ? { tooLarge: true } : { broken: true }),
  );
  thread.once('exit', () => answer({ broken: true }));
  const largest = process.memoryUsage.rss() + GROWTH_LIMIT_BYTES;
  const longestMicroseconds = processorLimitMs * 1000;
  systemClock.after(WATCH_MS, function look() {
    const { user, system } = process.cpuUsage();
    if (process.memoryUsage.rss() > largest) answer({ tooLarge: true });
    else if (user + system > longestMicroseconds) answer({ tooLong: true });
    else systemClock.after(WATCH_MS, look);
  });
}

let isAnswered = false;

/** The process that started this one takes the first answer, and ends it. */
function answer(first: WorkAnswer): void {
  if (isAnswered) return;
  isAnswered = true;
  process.send?.(first);
}
