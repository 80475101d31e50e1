/**
 * Background sound under everything a leg sends, including silence: a loop, mixed in frame by frame, and quieter during
 * speech. The gain changes gradually within a frame to avoid clicks.
 */
import { clip, gainOfDb } from '@parley/audio';

/** The gain during speech. */
const DUCKED = gainOfDb(-6);
/** Share of the remaining difference by which the gain changes per frame: a time constant of about 100 ms. */
const GLIDES = 0.25;

/** The background sound of a leg. */
export interface AmbientLoop {
  /** Mono, at the sample rate of the leg; a seamless loop. Shared memory is not copied between threads. */
  samples: Int16Array;
  /** 0 to 1. */
  gain: number;
}

/** The playback position of one leg in its loop. */
export class Ambience {
  readonly #loop: AmbientLoop;
  #at = 0;
  #gain = 0;

  constructor(loop: AmbientLoop) {
    this.#loop = loop;
  }

  /** Mixes the loop into a frame before it is sent. */
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
