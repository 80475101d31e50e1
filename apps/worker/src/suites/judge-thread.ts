/**
 * Compares conversations with the expressions of suites in a thread of its own: an expression of a user may need very long,
 * and must not stop the jobs of the worker.
 */
import { Worker } from 'node:worker_threads';
import type { Clock } from '@parley/runtime';
import { SuiteError, type Judge } from '@parley/suites';

type Arguments<Name extends keyof Judge> = Parameters<Judge[Name]>;

/** What the thread is asked. */
export type JudgeQuestion =
  | {
      kind: 'failures';
      expected: Arguments<'failuresOf'>[0];
      conversation: Arguments<'failuresOf'>[1];
    }
  | { kind: 'found'; phrases: Arguments<'firstFound'>[0]; text: string };
/** What it answers: the result, or a sentence for the owner of the suite. */
export type JudgeAnswer = { result: string[] | number } | { failure: string };

/** For one question. The thread is ended and replaced after it. Milliseconds. */
const TIME_LIMIT_MS = 5_000;
/** Until a new thread has loaded its modules and says so, milliseconds. */
const START_LIMIT_MS = 60_000;
const HEAP_LIMIT_MB = 256;
const TOO_SLOW = 'The regular expressions of the suite need too much time.';

/** Judges that share a thread, which starts with the first question. */
export interface JudgeThread {
  /** Questions of different users are asked in turns: one user's slow expressions delay another's by one question. */
  of(userId: number): Judge;
  stop(): Promise<void>;
}

/** One question at a time. */
export function createJudgeThread(clock: Clock): JudgeThread {
  let thread: Worker | null = null;
  const turns = createTurns();

  function start(): Worker {
    const started = new Worker(new URL('./judge-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
      stdout: true,
      stderr: true,
    });
    started.unref();
    return started;
  }

  /** The next message of the thread, or a failure. */
  async function nextAnswer(asked: Worker, limitMs: number): Promise<JudgeAnswer> {
    const { promise, resolve } = Promise.withResolvers<JudgeAnswer>();
    const fail = (): void => resolve({ failure: TOO_SLOW });
    asked.once('message', resolve).once('error', fail).once('exit', fail);
    const limit = clock.after(limitMs, fail);
    const answer = await promise;
    limit.cancel();
    asked.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit');
    return answer;
  }

  async function askNow(question: JudgeQuestion): Promise<string[] | number> {
    const isNew = thread === null;
    const asked = (thread ??= start());
    if (isNew) await nextAnswer(asked, START_LIMIT_MS);
    asked.postMessage(question, []);
    const answer = await nextAnswer(asked, TIME_LIMIT_MS);
    if ('result' in answer) return answer.result;
    // It may still be busy, or have ended.
    thread = null;
    asked.on('error', () => {});
    await asked.terminate();
    throw new SuiteError(answer.failure);
  }

  function ask(userId: number, question: JudgeQuestion): Promise<string[] | number> {
    const { promise, resolve, reject } = Promise.withResolvers<string[] | number>();
    turns.add(userId, () => askNow(question).then(resolve, reject));
    return promise;
  }

  return {
    of: (userId) => ({
      failuresOf: async (expected, conversation) =>
        (await ask(userId, { kind: 'failures', expected, conversation })) as string[],
      firstFound: async (phrases, text) => (await ask(userId, { kind: 'found', phrases, text })) as number,
    }),
    async stop() {
      await turns.ended();
      await thread?.terminate();
      thread = null;
    },
  };
}

/** Runs work one after the other, in turns among users. */
function createTurns() {
  /** What waits, by user. The user whose turn it is comes first. */
  const waiting = new Map<number, (() => Promise<void>)[]>();
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    for (const [userId, turns] of waiting) {
      await turns.shift()?.();
      waiting.delete(userId);
      // A map is iterated in the order of insertion, and to its end also when that is inserted meanwhile.
      if (turns.length > 0) waiting.set(userId, turns);
    }
    running = null;
  }

  return {
    /** @param turn - never rejects */
    add(userId: number, turn: () => Promise<void>): void {
      const turns = waiting.get(userId) ?? [];
      turns.push(turn);
      waiting.set(userId, turns);
      running ??= run();
    },
    ended: async (): Promise<void> => running ?? undefined,
  };
}
