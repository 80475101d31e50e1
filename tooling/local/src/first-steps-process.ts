/** Starts the process of the first steps (first-steps.ts) for the supervisor, sends requests to it and stops it. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ChildPlan } from '@parley/runtime';
import type { FirstSteps, StepReply } from './first-steps-messages.ts';

/** The process of one start. */
export class FirstStepsProcess {
  readonly #child: ChildProcess;

  /** Starts it at once, so that its code loads while Postgres starts. @param onLine - receives its log lines */
  constructor(environment: ChildPlan['environment'], onLine: (line: string) => void) {
    this.#child = fork(new URL('./first-steps.ts', import.meta.url), {
      env: { ...environment },
      // A separate session, so that Ctrl-C in a terminal does not reach it directly.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Users contain Dates, which JSON would lose.
      serialization: 'advanced',
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      if (stream) createInterface({ input: stream }).on('line', onLine);
  }

  /**
   * One step at a time.
   *
   * @throws Error with the message of the failed step, or if the process has ended
   */
  async ask<Step extends keyof FirstSteps>(
    step: Step,
    input: FirstSteps[Step]['input'],
  ): Promise<FirstSteps[Step]['result']> {
    const ended = new AbortController();
    const onExit = (): void => ended.abort();
    this.#child.once('exit', onExit);
    try {
      if (!this.#child.connected) throw new Error('The start was interrupted');
      this.#child.send({ step, ...input });
      const [reply] = (await once(this.#child, 'message', { signal: ended.signal })) as [StepReply];
      if ('fault' in reply) throw new Error(reply.fault);
      // The process answers each step with the result of that step.
      return reply.result as FirstSteps[Step]['result'];
    } catch (error) {
      throw ended.signal.aborted ? new Error('The start was interrupted; see logs/start.log') : error;
    } finally {
      this.#child.off('exit', onExit);
    }
  }

  /** Ends it at any point of its work. Resolves when it has ended; may be called twice. */
  async stop(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    await once(this.#child, 'exit');
  }
}
