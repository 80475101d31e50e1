/**
 * Deletions that can be undone: each is carried out only after some seconds. A page that is closed before deletes nothing.
 */

/** A deletion that waits. */
export interface Deletion {
  /** Identifies the deleted thing. */
  key: string;
  /** A sentence for the user. */
  text: string;
  /** Carries it out. */
  run: () => Promise<unknown>;
}

/** Runs a function later. @returns cancels it */
export type Schedule = (run: () => void, delayMs: number) => () => void;

/** Long enough to read the message and to reach its button by keyboard. */
const UNDO_MS = 10_000;

/** The deletions of one page, for `useSyncExternalStore`. */
export class DeferredDeletions {
  readonly #schedule: Schedule;
  readonly #onFailure: (error: unknown) => void;
  readonly #cancels = new Map<string, () => void>();
  readonly #listeners = new Set<() => void>();
  #waiting: readonly Deletion[] = [];

  constructor(schedule: Schedule, onFailure: (error: unknown) => void) {
    this.#schedule = schedule;
    this.#onFailure = onFailure;
  }

  /** The deletions that wait or are in progress. It is the same array until something changes. */
  readonly waiting = (): readonly Deletion[] => this.#waiting;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(deletion: Deletion): void {
    if (this.#cancels.has(deletion.key)) return;
    const carryOut = (): void => {
      deletion
        .run()
        .catch(this.#onFailure)
        .finally(() => this.undo(deletion.key))
        .catch(this.#onFailure);
    };
    this.#cancels.set(deletion.key, this.#schedule(carryOut, UNDO_MS));
    this.#set([...this.#waiting, deletion]);
  }

  /** The thing is shown again. Too late for a deletion that is being carried out, whose result is shown. */
  undo(key: string): void {
    this.#cancels.get(key)?.();
    this.#cancels.delete(key);
    this.#set(this.#waiting.filter((deletion) => deletion.key !== key));
  }

  /** Nothing of what waits is deleted. */
  clear(): void {
    for (const { key } of this.#waiting) this.undo(key);
  }

  #set(waiting: readonly Deletion[]): void {
    this.#waiting = waiting;
    for (const listener of this.#listeners) listener();
  }
}
