/**
 * Carries the facts of one call into the database, in order, however long that takes. Neither the leg nor the
 * conversation waits for it: while Postgres is unavailable, facts are queued here and retried. A fact that can never be
 * stored is given up, and a simpler one is stored in its place, so that the record stays truthful.
 */
import { DomainError } from '@parley/core';
import { isPermanentFault } from '@parley/db';
import { pause, type Clock, type Log } from '@parley/runtime';

/** One fact to be stored. `store` may be called many times; storing a fact twice must be harmless. */
export interface Fact {
  name: string;
  store: () => Promise<void>;
  /** Stored instead when this fact can never be stored. */
  instead?: () => Promise<void>;
}

/** Options of a reporter. */
export interface CallReporterOptions {
  clock: Clock;
  log: Log;
  /** Called for every fact that was given up. */
  onRefused: (error: unknown) => void;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;

/** An ordered queue of facts with retries. */
export class CallReporter {
  readonly #options: CallReporterOptions;
  #tail: Promise<void> = Promise.resolve();

  constructor(options: CallReporterOptions) {
    this.#options = options;
  }

  /** Queues a fact behind all earlier ones. */
  report(fact: Fact): void {
    this.#tail = this.#tail.then(() => this.#store(fact));
  }

  /** Resolves when everything reported so far has been stored or given up. */
  async settled(): Promise<void> {
    await this.#tail;
  }

  async #store(fact: Fact): Promise<void> {
    const { clock, log } = this.#options;
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS)) {
      try {
        return await fact.store();
      } catch (error) {
        if (isPermanent(error)) return this.#giveUp(fact, error);
        log.warn({ err: error, fact: fact.name, delayMs }, 'A fact of a call could not be stored yet');
        await pause(clock, delayMs);
      }
    }
  }

  async #giveUp({ name, instead }: Fact, error: unknown): Promise<void> {
    const { log, onRefused } = this.#options;
    log.error({ err: error, fact: name }, 'A fact of a call can never be stored');
    onRefused(error);
    // A refusal by core concerns the call, not the content of the fact: simplifying the fact would not help.
    if (instead && !(error instanceof DomainError)) await this.#store({ name, store: instead });
  }
}

/** True for an error that every retry would meet again: a refusal by core, a refused value, a programming error. */
function isPermanent(error: unknown): boolean {
  if (error instanceof DomainError) return error.kind !== 'unavailable';
  return error instanceof TypeError || error instanceof RangeError || isPermanentFault(error);
}
