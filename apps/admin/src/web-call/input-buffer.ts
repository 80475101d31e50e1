/**
 * The sound of a WebRTC connection on its way through the playback worklet: blocks at the context's rate become grains at
 * the wire's rate. Both run on one clock, so that a few grains are enough to hold.
 */
import { Resampler } from './resampler.ts';
import { WIRE_RATE_HZ } from './talk-wire.ts';

/** Held before the first grain leaves, and again after a gap: 6 ms. */
const LEAD_SAMPLES = 96;
/** More than that is old: 64 ms. */
const MOST_SAMPLES = 1_024;

/** One stream. */
export class InputBuffer {
  readonly #resampler: Resampler;
  readonly #block: Float32Array;
  readonly #held = new Float32Array(2 * MOST_SAMPLES);
  #length = 0;
  #isFlowing = false;

  /** @param rateHz - of the blocks */
  constructor(rateHz: number) {
    this.#resampler = new Resampler(rateHz, WIRE_RATE_HZ);
    this.#block = new Float32Array(this.#resampler.maxOutput(MOST_SAMPLES) + 8);
  }

  /** Takes a block of at most 1,024 samples, -1 to 1. */
  push(samples: Float32Array): void {
    const count = this.#resampler.process(samples, this.#block);
    if (this.#length + count > MOST_SAMPLES) this.#drop(this.#length + count - MOST_SAMPLES);
    this.#held.set(this.#block.subarray(0, count), this.#length);
    this.#length += count;
  }

  /** Adds the next samples to a grain; nothing while too few are held. */
  addTo(grain: Int16Array): void {
    this.#isFlowing = this.#length >= (this.#isFlowing ? grain.length : LEAD_SAMPLES);
    if (!this.#isFlowing) return;
    for (let at = 0; at < grain.length; at += 1) {
      const sum = (grain[at] ?? 0) + (this.#held[at] ?? 0) * 32_768;
      grain[at] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
    }
    this.#drop(grain.length);
  }

  #drop(count: number): void {
    const dropped = Math.min(count, this.#length);
    this.#held.copyWithin(0, dropped, this.#length);
    this.#length -= dropped;
  }
}
