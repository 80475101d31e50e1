/** The frames of a leg's media on their way to its listener, which may be added later than the first frame. */
import type { MediaTick } from './call-leg.ts';

/** Frames kept until a listener is added: 10 s. Older ones are dropped to bound the memory. */
const LONGEST_WAIT_TICKS = 500;

/** One for each leg. */
export class MediaTicks {
  #listener: ((tick: MediaTick) => void) | null = null;
  #waiting: MediaTick[] = [];
  #isStopped = false;

  /** The listener first gets the frames that have waited for it. */
  listen(listener: (tick: MediaTick) => void): void {
    this.#listener = listener;
    for (const tick of this.#waiting.splice(0)) if (!this.#isStopped) listener(tick);
  }

  deliver(tick: MediaTick): void {
    if (this.#isStopped) return;
    if (this.#listener) return this.#listener(tick);
    this.#waiting.push(tick);
    if (this.#waiting.length > LONGEST_WAIT_TICKS) this.#waiting.shift();
  }

  /** The listener is not called afterwards. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting = [];
  }
}
