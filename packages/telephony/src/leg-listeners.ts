/** The listeners of a leg. The first one also receives the events that happened before it was added. */
import type { Log } from '@parley/runtime';
import type { LegEvent } from './call-leg.ts';

type Listener = (event: LegEvent) => void;

/** One for each leg. */
export class LegListeners {
  readonly #listeners: Listener[] = [];
  readonly #early: LegEvent[] = [];
  readonly #log: Log;

  /** @param log - names the leg */
  constructor(log: Log) {
    this.#log = log;
  }

  add(listener: Listener): void {
    this.#listeners.push(listener);
    for (const event of this.#early.splice(0)) this.#notify(listener, event);
  }

  emit(event: LegEvent): void {
    if (this.#listeners.length === 0) this.#early.push(event);
    for (const listener of this.#listeners) this.#notify(listener, event);
  }

  /** An error in one listener must not affect the others or the leg. */
  #notify(listener: Listener, event: LegEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.#log.error({ err: error, event: event.type }, 'A listener of a leg failed');
    }
  }
}
