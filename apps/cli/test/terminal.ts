/** A replacement for a terminal: runs a command line and keeps its output. */
import { systemClock } from '@parley/runtime';
import { runProgram } from '../src/program.ts';
import type { Environment } from '../src/settings.ts';

interface Ran {
  exitCode: number;
  out: string;
  err: string;
}

export interface Terminal {
  run(...args: string[]): Promise<Ran>;
  /** Runs until {@link interrupt}. Resolves with the output so far once `isReady` accepts the messages on stderr. */
  start(
    args: string[],
    isReady: (err: string) => boolean,
  ): Promise<{ ended: Promise<Ran>; output: () => Ran }>;
  /** Ctrl-C. */
  interrupt(): void;
  /** Resolves when the output on stdout satisfies the condition. */
  untilOut(isWanted: (out: string) => boolean): Promise<string>;
}

/** @param answer - the answer to every question; without it, the terminal is not interactive */
export function openTerminal(environment: Environment, answer?: string): Terminal {
  const controller = new AbortController();
  let notify = Promise.withResolvers<void>();
  const written: Ran = { exitCode: -1, out: '', err: '' };
  const add = (to: 'out' | 'err', text: string): void => {
    written[to] += text;
    notify.resolve();
    notify = Promise.withResolvers<void>();
  };
  const run = async (...args: string[]): Promise<Ran> => {
    Object.assign(written, { exitCode: -1, out: '', err: '' });
    const exitCode = await runProgram(args, {
      environment,
      clock: systemClock,
      signal: controller.signal,
      write: (text) => add('out', text),
      remark: (text) => add('err', text),
      ask:
        answer === undefined
          ? null
          : (question) => {
              add('err', question);
              return Promise.resolve(answer);
            },
    });
    return { ...written, exitCode };
  };
  const until = async (isWanted: () => boolean): Promise<void> => {
    while (!isWanted()) await notify.promise;
  };
  return {
    run,
    async start(args, isReady) {
      const ended = run(...args);
      await Promise.race([until(() => isReady(written.err)), ended]);
      return { ended, output: () => ({ ...written }) };
    },
    interrupt: () => controller.abort(),
    async untilOut(isWanted) {
      await until(() => isWanted(written.out));
      return written.out;
    },
  };
}
