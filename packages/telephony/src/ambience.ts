/**
 * The sound of a room under everything a leg sends, in silence too: a loop, mixed in frame by frame, and softer while
 * something is said over it. Gains move within a frame, so that nothing clicks.
 */
import { clip, gainOfDb } from '@parley/audio';

/** While something is said. */
const DUCKED = gainOfDb(-6);
/** The gain moves by this much of its way in a frame: over about 100 ms. */
const GLIDES = 0.25;

/** What lies under a leg's sound. */
export interface AmbientLoop {
  /** Mono, at the leg's rate; begins where it ends. Shared memory is not copied between threads. */
  samples: Int16Array;
  /** 0 to 1. */
  gain: number;
}

/** One leg's place in its loop. */
export class Ambience {
  readonly #loop: AmbientLoop;
  #at = 0;
  #gain = 0;

  constructor(loop: AmbientLoop) {
    this.#loop = loop;
  }

  /** Adds to a frame that is about to be sent. */
  mixInto(frame: Int16Array, isSpeech: boolean): void {
    const { samples, gain } = this.#loop;
    const target = isSpeech ? gain * DUCKED : gain;
    const step = (GLIDES * (target - this.#gain)) / frame.length;
    for (let n = 0; n < frame.length; n++) {
      this.#gain += step;
      frame[n] = clip((frame[n] ?? 0) + this.#gain * (samples[this.#at] ?? 0));
      this.#at = (this.#at + 1) % samples.length;
    }
  }
}
