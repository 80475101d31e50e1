/**
 * Runs work on a file or text of a user in a process of its own: it may be made to take very long or very much memory, and must
 * not stop the other work. A thread is not enough: V8 ends the whole process when one value of a thread does not fit into memory.
 */
import { fork, type ChildProcess } from 'node:child_process';
import type { Clock } from './clock.ts';

/** A module of a thread that posts one message, its result. */
export interface LimitedWork {
  /** The module of the thread. */
  file: URL;
  workerData: unknown;
  /** Processor time, milliseconds: a busy machine refuses no file that an idle one would read. */
  processorLimitMs: number;
  clock: Clock;
}

/** Why there is no result, as a sentence for the owner of the file. */
export interface WorkFailure {
  failure: string;
}

/** What the process is sent, once. */
export interface WorkMessage extends Omit<LimitedWork, 'file' | 'clock'> {
  /** The address of the module of the thread. */
  file: string;
}

/** What it answers, once. */
export type WorkAnswer = { result: unknown } | { tooLarge: true } | { tooLong: true } | { broken: true };

const TOO_LARGE: WorkFailure = { failure: 'It needs too much memory to be read.' };
const TOO_LONG: WorkFailure = { failure: 'It takes too long to be read.' };
const BROKEN: WorkFailure = { failure: 'It cannot be read.' };

/** How much longer than its processor time the work may take. It has a low priority, so that all other work comes first. */
const PATIENCE = 10;

/** Never rejects for a file that cannot be read. */
export async function runLimited<Result>({
  clock,
  file,
  ...work
}: LimitedWork): Promise<Result | WorkFailure> {
  const child = fork(new URL('./limited-process-main.ts', import.meta.url), {
    // Structured clones, for files.
    serialization: 'advanced',
    // Secrets of this process are not passed on. Libraries, and V8 when it gives up, may write about a file of a user.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const { promise, resolve } = Promise.withResolvers<Result | WorkFailure>();
  child.once('message', (answer) => resolve(outcomeOf(answer as WorkAnswer) as Result | WorkFailure));
  child.once('error', () => resolve(BROKEN));
  // V8 aborts the process, and the system kills it, when there is no more memory.
  child.once('exit', (_code, signal) => resolve(signal === null ? BROKEN : TOO_LARGE));
  const limit = clock.after(work.processorLimitMs * PATIENCE, () => resolve(TOO_LONG));
  child.send({ ...work, file: file.href } satisfies WorkMessage, () => undefined);
  try {
    return await promise;
  } finally {
    limit.cancel();
    await end(child);
  }
}

function outcomeOf(answer: WorkAnswer): unknown {
  if ('result' in answer) return answer.result;
  if ('tooLarge' in answer) return TOO_LARGE;
  return 'tooLong' in answer ? TOO_LONG : BROKEN;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill('SIGKILL');
  await promise;
}
