/** The last two seconds of audio at 4000 Hz: enough to compare voices and levels, and cheap to search. */

/** The rate of the stored audio. It divides every rate of a line. */
const HISTORY_RATE_HZ = 4000;
const KEPT_SAMPLES = 2 * HISTORY_RATE_HZ;

/** One direction of one call. */
export class SoundHistory {
  readonly #step: number;
  readonly #ring = new Float32Array(KEPT_SAMPLES);
  /** All samples so far, including those that are no longer stored. */
  #count = 0;

  /** @param sampleRateHz - a multiple of 4000 */
  constructor(sampleRateHz: number) {
    this.#step = sampleRateHz / HISTORY_RATE_HZ;
  }

  /** Adds a frame; its length is a multiple of `sampleRateHz` / 4000. */
  push(frame: Int16Array): void {
    for (let at = 0; at + this.#step <= frame.length; at += this.#step) {
      let sum = 0;
      for (let n = 0; n < this.#step; n++) sum += frame[at + n] ?? 0;
      this.#ring[this.#count % KEPT_SAMPLES] = sum / this.#step;
      this.#count += 1;
    }
  }

  /**
   * The audio that ends `endMs` after the first frame; silence where nothing is stored.
   *
   * @returns `lengthMs` of samples, mono, 4000 Hz
   */
  upTo(endMs: number, lengthMs: number): Float32Array {
    const length = Math.round((lengthMs * HISTORY_RATE_HZ) / 1000);
    const from = Math.round((endMs * HISTORY_RATE_HZ) / 1000) - length;
    const oldest = Math.max(0, this.#count - KEPT_SAMPLES);
    const stretch = new Float32Array(length);
    const end = Math.min(from + length, this.#count);
    for (let at = Math.max(from, oldest); at < end; at++)
      stretch[at - from] = this.#ring[at % KEPT_SAMPLES] ?? 0;
    return stretch;
  }
}
