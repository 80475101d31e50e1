/**
 * Hands out the even ports of a range, each followed by its RTCP port. A port that comes back rests for a while, so that
 * late packets of the old call do not reach the next one, and the one that has rested longest goes out first.
 */
import type { Clock } from '@parley/runtime';

/** How long a port rests, milliseconds: longer than packets live on the way. */
const REST_MS = 3000;

/** Both ends included. */
export interface PortRange {
  first: number;
  last: number;
}

/** The ports of one process. */
export class PortPool {
  readonly #clock: Clock;
  readonly #free: { port: number; restsUntil: number }[] = [];
  readonly #taken = new Set<number>();

  constructor(range: PortRange, clock: Clock) {
    this.#clock = clock;
    for (let port = range.first + (range.first % 2); port + 1 <= range.last; port += 2) {
      this.#free.push({ port, restsUntil: -Infinity });
    }
  }

  /** Ports in use. */
  get takenCount(): number {
    return this.#taken.size;
  }

  /** All ports, in use or not. */
  get size(): number {
    return this.#taken.size + this.#free.length;
  }

  /** An even port; `null` when all are in use or resting. */
  take(): number | null {
    const next = this.#free[0];
    if (!next || next.restsUntil > this.#clock.monotonic()) return null;
    this.#free.shift();
    this.#taken.add(next.port);
    return next.port;
  }

  /** Gives a port back; a port that is not in use is ignored. */
  giveBack(port: number): void {
    if (!this.#taken.delete(port)) return;
    this.#free.push({ port, restsUntil: this.#clock.monotonic() + REST_MS });
  }
}
