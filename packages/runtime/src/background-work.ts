/**
 * Work that runs beside its caller. A promise that is started and then dropped ends the process when it rejects, and
 * cannot be awaited at stop. Every such promise is started here instead: a failure is logged, the owner may react to it,
 * and `settled` waits for what still runs. Lint forbids `void` on a promise for this reason.
 */
import type { Log } from './log.ts';

/** Starts and supervises the background work of one owner. */
export class BackgroundWork {
  readonly #log: Log;
  readonly #running = new Set<Promise<void>>();

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Calls `run` at once, without waiting for its result. Never throws.
   *
   * @param name - a description for the log: a fixed text without personal data, such as `play the greeting`
   * @param onFailure - called after the failure was logged, for example to end the call
   */
  start(name: string, run: () => unknown, onFailure?: (error: unknown) => unknown): void {
    const work = this.#supervise(name, run, onFailure).finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  /** Resolves when no work is left, including work that was started in the meantime. Never rejects. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #supervise(name: string, run: () => unknown, onFailure?: (error: unknown) => unknown): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#log.error({ err: error, work: name }, 'Background work failed');
      await this.#react(name, () => onFailure?.(error));
    }
  }

  async #react(name: string, onFailure: () => unknown): Promise<void> {
    try {
      await onFailure();
    } catch (error) {
      this.#log.error({ err: error, work: name }, 'The reaction to failed background work failed as well');
    }
  }
}
