/**
 * The only place that reads the machine's clock or sets a timer. Everything else is handed a {@link Clock}, so that
 * tests move time by hand (`ManualClock` below).
 */

/** A pending call of a function. The code that created it must cancel it. */
export interface Timer {
  /** Harmless when the timer has fired or was cancelled before. */
  cancel(): void;
}

/** Where time comes from. */
export interface Clock {
  /** Wall time, milliseconds since 1970-01-01 UTC. May jump. */
  now(): number;
  /** Milliseconds from an arbitrary start, with fractions. Never goes back. */
  monotonic(): number;
  /** Runs `callback` once, `delayMs` from now. The timer keeps the process alive. */
  after(delayMs: number, callback: () => void): Timer;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const handle = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Resolves after `delayMs`, or at once when `signal` is aborted. Never rejects. */
export async function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = clock.after(delayMs, done);
    function done(): void {
      timer.cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done, { once: true });
  });
}

interface PendingTimer {
  atMs: number;
  order: number;
  callback: () => void;
}

/** A clock that stands still until a test moves it. Wall and monotonic time advance together. */
export class ManualClock implements Clock {
  #nowMs: number;
  readonly #startMs: number;
  #order = 0;
  #pending: PendingTimer[] = [];

  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs;
    this.#startMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs - this.#startMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const entry = { atMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, callback };
    this.#pending.push(entry);
    const cancel = (): void => {
      this.#pending = this.#pending.filter((other) => other !== entry);
    };
    return { cancel };
  }

  /**
   * How many timers wait; a component that has stopped must have left none.
   *
   * @param atLeastMs - counts only those that are not due before
   */
  pendingTimers(atLeastMs = 0): number {
    return this.#pending.filter(({ atMs }) => atMs - this.#nowMs >= atLeastMs).length;
  }

  /** Moves time forward, running due timers in order, each at its own instant. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const next = this.#pending
        .filter((entry) => entry.atMs <= untilMs)
        .toSorted((a, b) => a.atMs - b.atMs || a.order - b.order)[0];
      if (!next) break;
      this.#pending = this.#pending.filter((entry) => entry !== next);
      this.#nowMs = next.atMs;
      next.callback();
    }
    this.#nowMs = untilMs;
  }

  /** Like {@link advance}, giving pending promises their turn between steps of `stepMs`. */
  async advanceAsync(byMs: number, stepMs = 10): Promise<void> {
    for (let leftMs = byMs; leftMs > 0; leftMs -= stepMs) {
      this.advance(Math.min(stepMs, leftMs));
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
}
