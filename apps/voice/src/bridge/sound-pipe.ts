/**
 * One direction of a bridge: what one leg hears is played on the other, frame by frame. Each leg has a jitter buffer
 * and sends by a clock of its own, so here stands a short queue only: a cushion against a thread that wakes late, with an
 * upper end, so that what piled up once (the process was frozen) does not stay in the call as delay.
 */
import type { MediaPort, MediaTick } from '@parley/telephony';

/** Silence put in front, frames of 20 ms. */
const CUSHION_FRAMES = 2;
/** What may wait at most, frames of 20 ms; beyond it sound is dropped. */
const MOST_FRAMES = 5;
/** All that a bridge plays is of one turn: nobody asks what of it was heard. */
const TURN = 1;

/** From one leg to another. Both of the same rate. */
export class SoundPipe {
  readonly #to: MediaPort;
  /** Samples that wait on the other leg, as far as is known here. */
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

  /** A frame was heard. */
  pass({ received }: MediaTick): void {
    if (this.#queued + received.length > MOST_FRAMES * this.#to.frameSamples) return;
    this.#queued += received.length;
    // The tick's memory is shared with other frames, and what is played is given away.
    this.#to.play(TURN, received.slice());
  }
}
