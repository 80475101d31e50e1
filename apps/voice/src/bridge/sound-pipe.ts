/**
 * One direction of a bridge: what one leg receives is played on the other, frame by frame. Each leg has its own jitter
 * buffer and clock, so a short queue suffices here. It absorbs late wake-ups of the thread, and its upper limit prevents
 * a backlog (after the process was frozen) from becoming permanent delay.
 */
import type { MediaPort, MediaTick } from '@parley/telephony';

/** Initial silence, frames of 20 ms. */
const CUSHION_FRAMES = 2;
/** Upper limit of the queue, frames of 20 ms; sound beyond it is dropped. */
const MOST_FRAMES = 5;
/** Bridged sound has one constant turn number, because its playout is not tracked. */
const TURN = 1;

/** From one leg to another. Both must have the same sample rate. */
export class SoundPipe {
  readonly #to: MediaPort;
  /** Samples queued on the other leg, as of its latest frame. */
  #queued: number;

  constructor(to: MediaPort) {
    this.#to = to;
    this.#queued = CUSHION_FRAMES * to.frameSamples;
    to.play(TURN, new Int16Array(this.#queued));
  }

  /** The other leg has sent a frame. */
  noteSent({ queuedSamples }: MediaTick): void {
    this.#queued = queuedSamples;
  }

  /** The first leg has received a frame. */
  pass({ received }: MediaTick): void {
    if (this.#queued + received.length > MOST_FRAMES * this.#to.frameSamples) return;
    this.#queued += received.length;
    // `play` takes ownership of the array, but the memory of a tick is shared with other frames.
    this.#to.play(TURN, received.slice());
  }
}
