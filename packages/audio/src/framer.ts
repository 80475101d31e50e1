/** Splits audio that arrives in chunks of any length into frames of a fixed length. */
export class Framer {
  readonly #frame: Int16Array;
  #filled = 0;

  /** @param frameSamples - length of a frame, for example 160 (20 ms at 8000 Hz) */
  constructor(frameSamples: number) {
    this.#frame = new Int16Array(frameSamples);
  }

  /** Samples of the incomplete frame. */
  get pendingSamples(): number {
    return this.#filled;
  }

  /**
   * Takes the next chunk.
   *
   * @param onFrame - called for every full frame, in order; the array is reused, so the callee copies what it keeps
   */
  push(samples: Int16Array, onFrame: (frame: Int16Array) => void): void {
    for (let at = 0; at < samples.length;) {
      const part = samples.subarray(at, at + this.#frame.length - this.#filled);
      this.#frame.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled < this.#frame.length) return;
      this.#filled = 0;
      onFrame(this.#frame);
    }
  }

  /** Passes the incomplete frame, padded with silence, to `onFrame`; does nothing without pending samples. */
  flush(onFrame: (frame: Int16Array) => void): void {
    if (this.#filled === 0) return;
    this.#frame.fill(0, this.#filled);
    this.#filled = 0;
    onFrame(this.#frame);
  }
}
