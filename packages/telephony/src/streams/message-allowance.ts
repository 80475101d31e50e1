/** How many messages the far end of a socket may send: reading each takes time that all calls of the process share. */
import type { Clock } from '@parley/runtime';

/** Messages at once: a minute of sound, which a connection that stood still may deliver together. */
const BURST = 3_000;
/** How many more each second allows. Sound in real time needs 50. */
const PER_SECOND = 500;

/** The allowance of one socket. */
export class MessageAllowance {
  readonly #clock: Clock;
  #left = BURST;
  #atMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#atMs = clock.monotonic();
  }

  /** Counts a message. @returns false when it is one too many */
  take(): boolean {
    const nowMs = this.#clock.monotonic();
    this.#left = Math.min(BURST, this.#left + ((nowMs - this.#atMs) / 1_000) * PER_SECOND) - 1;
    this.#atMs = nowMs;
    return this.#left >= 0;
  }
}
