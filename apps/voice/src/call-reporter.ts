/**
 * Carries the facts of one call into the database, in order, however long that takes. The line and the conversation
 * never wait for it: while Postgres is away facts queue up here and are repeated until they are stored, or until the
 * process is fenced, after which another process tells the truth about this call.
 */
import { pause, type Clock, type Log } from '@parley/runtime';

/** One fact to be stored. `run` may be called many times; storing it twice must be harmless. */
interface Fact {
  name: string;
  run: () => Promise<void>;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;

/** An ordered queue of facts with retries. */
export class CallReporter {
  readonly #clock: Clock;
  readonly #log: Log;
  /** Errors for which a repetition can never help. */
  readonly #isFinal: (error: unknown) => boolean;
  #tail: Promise<void> = Promise.resolve();

  constructor(options: { clock: Clock; log: Log; isFinal: (error: unknown) => boolean }) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#isFinal = options.isFinal;
  }

  /** Queues a fact behind all earlier ones. */
  report(name: string, run: () => Promise<void>): void {
    this.#tail = this.#tail.then(() => this.#store({ name, run }));
  }

  /** Resolves when everything reported so far is stored or given up. */
  async settled(): Promise<void> {
    await this.#tail;
  }

  async #store(fact: Fact): Promise<void> {
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS)) {
      try {
        await fact.run();
        return;
      } catch (error) {
        if (this.#isFinal(error)) {
          this.#log.error({ err: error, fact: fact.name }, 'A fact of a call was refused');
          return;
        }
        this.#log.warn({ err: error, fact: fact.name, delayMs }, 'A fact of a call could not be stored yet');
        await pause(this.#clock, delayMs);
      }
    }
  }
}
