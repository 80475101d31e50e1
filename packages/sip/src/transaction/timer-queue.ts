/**
 * The timers of one agent, as data. The owner of the clock reads when the next one is due and then runs it. A binary heap,
 * because a busy agent keeps tens of thousands of completed transactions for half a minute each.
 */

/** A pending timer. It is harmless to cancel it twice or after it has fired. */
export interface Alarm {
  cancel(): void;
}

interface Entry {
  atMs: number;
  order: number;
  run: (() => void) | null;
}

/** Times are milliseconds of the caller's clock. */
export class TimerQueue {
  readonly #heap: Entry[] = [];
  #order = 0;
  #live = 0;

  /** Sets a timer: {@link takeDue} returns `run` from `atMs` on. */
  set(atMs: number, run: () => void): Alarm {
    const entry: Entry = { atMs, order: this.#order++, run };
    this.#live += 1;
    this.#push(entry);
    return {
      cancel: () => {
        if (entry.run === null) return;
        entry.run = null;
        this.#live -= 1;
      },
    };
  }

  /** When the next timer is due, null if none is set. */
  nextAtMs(): number | null {
    while (this.#heap[0]?.run === null) this.#pop();
    return this.#heap[0]?.atMs ?? null;
  }

  /** How many timers are set. */
  get size(): number {
    return this.#live;
  }

  /** Removes and returns the callback of the next timer that is due at `nowMs`, null if there is none. */
  takeDue(nowMs: number): (() => void) | null {
    const atMs = this.nextAtMs();
    if (atMs === null || atMs > nowMs) return null;
    const entry = this.#pop();
    const run = entry?.run ?? null;
    if (entry) entry.run = null;
    this.#live -= 1;
    return run;
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(heap[parent], entry)) break;
      swap(heap, at, parent);
      at = parent;
    }
  }

  #pop(): Entry | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    heap[0] = last;
    this.#sink();
    return first;
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const smaller = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
      if (!isBefore(heap[smaller], heap[at])) return;
      swap(heap, at, smaller);
      at = smaller;
    }
  }
}

function isBefore(a: Entry | undefined, b: Entry | undefined): boolean {
  if (!a || !b) return a !== undefined;
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

function swap(heap: Entry[], a: number, b: number): void {
  const [x, y] = [heap[a], heap[b]];
  if (x && y) [heap[a], heap[b]] = [y, x];
}
