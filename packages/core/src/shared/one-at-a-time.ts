/** Combines requests for the same work: all requests during a run are served by one further run. */

interface Turn {
  running: Promise<void>;
  /** Starts when `running` has ended; null when no run was requested since. */
  next: Promise<void> | null;
}

/** Runs the work of each key one after the other; all requests that arrive during a run share the next one. */
export class OneAtATime<Key> {
  readonly #turns = new Map<Key, Turn>();

  /**
   * @param work - must not reject; ignored if a run that was requested earlier has not started yet, because it does the
   *    same
   * @returns resolves when a run that began after this request has ended
   */
  run(key: Key, work: () => Promise<void>): Promise<void> {
    const turn = this.#turns.get(key);
    if (!turn) return this.#begin(key, work);
    turn.next ??= turn.running.then(() => this.#begin(key, work));
    return turn.next;
  }

  #begin(key: Key, work: () => Promise<void>): Promise<void> {
    const turn: Turn = { running: work(), next: null };
    this.#turns.set(key, turn);
    turn.running = turn.running.finally(() => {
      if (turn.next === null) this.#turns.delete(key);
    });
    return turn.running;
  }
}
