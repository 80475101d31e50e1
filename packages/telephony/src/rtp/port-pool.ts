/**
 * Allocates the ports of a range: for RTP the even ones, each followed by its RTCP port; for WebRTC all. A released port is
 * quarantined for a while, so that late packets of the old call do not reach the next one; the port that has been free
 * longest is allocated first.
 */
import type { Clock } from '@parley/runtime';

/** Quarantine of a released port, milliseconds: longer than a packet remains in the network. */
const QUARANTINE_MS = 3000;

/** Both ends included. */
export interface PortRange {
  first: number;
  last: number;
}

/** The ports of one process. */
export class PortPool {
  readonly #clock: Clock;
  readonly #free: { port: number; freeFromMs: number }[] = [];
  readonly #taken = new Set<number>();

  /** @param portsEach - 2: pairs that begin with an even port; 1: single ports */
  constructor(range: PortRange, clock: Clock, portsEach: 1 | 2 = 2) {
    this.#clock = clock;
    const first = range.first + (range.first % portsEach);
    for (let port = first; port + portsEach - 1 <= range.last; port += portsEach) {
      this.#free.push({ port, freeFromMs: -Infinity });
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

  /** A port, or the first of a pair; `null` when all are in use or in quarantine. */
  take(): number | null {
    const next = this.#free[0];
    if (!next || next.freeFromMs > this.#clock.monotonic()) return null;
    this.#free.shift();
    this.#taken.add(next.port);
    return next.port;
  }

  /** Releases a port; a port that is not in use is ignored. */
  giveBack(port: number): void {
    if (!this.#taken.delete(port)) return;
    this.#free.push({ port, freeFromMs: this.#clock.monotonic() + QUARANTINE_MS });
  }
}
