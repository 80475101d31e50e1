/**
 * One direction of a bridge: what one leg receives is played on the other, frame by frame. Each leg has its own jitter
 * buffer and clock, so a short queue suffices here. It absorbs late wake-ups of the thread, and its upper limit prevents
 * a backlog (after the process was frozen) from becoming permanent delay.
 */
import { Resampler } from '@parley/audio';
import type { MediaPort, MediaTick } from '@parley/telephony';

/** Initial silence, frames of 20 ms. */
const CUSHION_FRAMES = 2;
/** Upper limit of the queue, frames of 20 ms; sound beyond it is dropped. */
const MOST_FRAMES = 5;
const FRAMES_PER_SECOND = 50;
/** Bridged sound has one constant turn number, because its playout is not tracked. */
const TURN = 1;

/** From one leg to another, which may have another sample rate. */
export class SoundPipe {
  readonly #to: MediaPort;
  /** Samples queued on the other leg, as of its latest frame. */
  #queued: number;
  #resampler: Resampler | null = null;

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
    if (this.#queued + this.#to.frameSamples > MOST_FRAMES * this.#to.frameSamples) return;
    const samples = this.#atRateOfOther(received);
    this.#queued += samples.length;
    this.#to.play(TURN, samples);
  }

  /** `play` takes ownership of the array, but the memory of a tick is shared with other frames. */
  #atRateOfOther(received: Int16Array): Int16Array {
    const { frameSamples } = this.#to;
    if (received.length === frameSamples) return received.slice();
    this.#resampler ??= new Resampler(received.length * FRAMES_PER_SECOND, frameSamples * FRAMES_PER_SECOND);
    return this.#resampler.process(received);
  }
}
