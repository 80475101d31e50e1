/** How many messages the far end of a socket may send: reading each takes time that all others of the process share. */
import type { Clock } from './clock.ts';

/** A token bucket. */
export interface MessageRate {
  /** Messages at once. */
  burst: number;
  /** How many more each second allows. */
  perSecond: number;
}

/** The allowance of one socket. */
export class MessageAllowance {
  readonly #clock: Clock;
  readonly #rate: MessageRate;
  #left: number;
  #atMs: number;

  constructor(clock: Clock, rate: MessageRate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#left = rate.burst;
    this.#atMs = clock.monotonic();
  }

  /** Counts a message. @returns false when it is one too many */
  take(): boolean {
    const nowMs = this.#clock.monotonic();
    const { burst, perSecond } = this.#rate;
    this.#left = Math.min(burst, this.#left + ((nowMs - this.#atMs) / 1_000) * perSecond) - 1;
    this.#atMs = nowMs;
    return this.#left >= 0;
  }
}
