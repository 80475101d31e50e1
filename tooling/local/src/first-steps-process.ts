/** The supervisor's end of the process of the first steps (first-steps.ts): starts it, asks, lets it go. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ChildPlan } from '@parley/runtime';
import type { FirstSteps, StepReply } from './first-steps-messages.ts';

/** One start's helper. */
export class FirstStepsProcess {
  readonly #child: ChildProcess;

  /** Starts it at once: its code loads while Postgres starts. @param onLine - takes what it logs */
  constructor(environment: ChildPlan['environment'], onLine: (line: string) => void) {
    this.#child = fork(new URL('./first-steps.ts', import.meta.url), {
      env: { ...environment },
      // In a session of its own: Ctrl-C in a terminal reaches it only through us.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Users carry instants.
      serialization: 'advanced',
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      if (stream) createInterface({ input: stream }).on('line', onLine);
  }

  /**
   * One step at a time.
   *
   * @throws Error with the words of the step that failed, or when the process has ended
   */
  async ask<Step extends keyof FirstSteps>(
    step: Step,
    asked: FirstSteps[Step]['asked'],
  ): Promise<FirstSteps[Step]['told']> {
    const ended = new AbortController();
    const onExit = (): void => ended.abort();
    this.#child.once('exit', onExit);
    try {
      if (!this.#child.connected) throw new Error('The start was cut short');
      this.#child.send({ step, ...asked });
      const [reply] = (await once(this.#child, 'message', { signal: ended.signal })) as [StepReply];
      if ('fault' in reply) throw new Error(reply.fault);
      // The process answers each step with its own answer.
      return reply.told as FirstSteps[Step]['told'];
    } catch (error) {
      throw ended.signal.aborted ? new Error('The start was cut short; logs/start.log may say why') : error;
    } finally {
      this.#child.off('exit', onExit);
    }
  }

  /** Lets it end, whatever it is doing. Resolves when it has; stopping twice is fine. */
  async stop(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    await once(this.#child, 'exit');
  }
}
