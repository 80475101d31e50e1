/**
 * Changes the rate of a stream of samples by a windowed sinc, for the case that the browser's audio
 * does not run at the wire's rate. Written for speech: flat to about 0.9 of the lower half rate, at
 * least 50 dB down above it.
 */

/** Zero crossings of the sinc on each side: more make the edge of the filter steeper. */
const CROSSINGS = 12;

/** Filter tables between two input samples; the nearest one is used. */
const PHASES = 128;

/** Part of the lower half rate that passes. */
const PASS_BAND = 0.92;

function hann(distance: number, halfWidth: number): number {
  return Math.abs(distance) >= halfWidth ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * distance) / halfWidth);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** One filter per phase, `taps` values each, normalised so that a constant stays what it is. */
function buildFilters(cutoff: number, taps: number): Float32Array[] {
  const half = taps / 2;
  return Array.from({ length: PHASES + 1 }, (_, phase) => {
    const centre = half - 1 + phase / PHASES;
    const filter = Float32Array.from({ length: taps }, (_, tap) => {
      const distance = tap - centre;
      return sinc(2 * cutoff * distance) * hann(distance, half);
    });
    const sum = filter.reduce((total, value) => total + value, 0);
    return filter.map((value) => value / sum);
  });
}

/** Used for a phase outside the table, which the arithmetic rules out. */
const NO_FILTER = new Float32Array(0);

/** A stream from one rate to another. Mono samples, Float32, in blocks of any length. */
export class Resampler {
  readonly #step: number;
  readonly #filters: Float32Array[];
  readonly #taps: number;
  /** Input that may still be needed; the filter's left edge lies at `#position`. */
  #pending: Float32Array;
  #pendingLength: number;
  #position = 0;

  /**
   * @param fromHz - rate of the input
   * @param toHz - rate of the output
   */
  constructor(fromHz: number, toHz: number) {
    this.#step = fromHz / toHz;
    // Cycles per input sample, below the half rate of whichever side is slower.
    const cutoff = (0.5 * PASS_BAND) / Math.max(1, this.#step);
    this.#taps = 2 * Math.ceil(CROSSINGS / (2 * cutoff));
    this.#filters = buildFilters(cutoff, this.#taps);
    this.#pending = new Float32Array(this.#taps * 4);
    this.#pendingLength = this.#taps / 2;
  }

  /**
   * Takes a block and writes the samples it makes possible.
   *
   * @param output - must hold `maxOutput(input.length)` samples
   * @returns number of samples written
   */
  process(input: Float32Array, output: Float32Array): number {
    if (this.#step === 1) {
      output.set(input);
      return input.length;
    }
    this.#append(input);
    let written = 0;
    while (Math.floor(this.#position) + this.#taps < this.#pendingLength) {
      output[written] = this.#sampleAt(this.#position);
      written += 1;
      this.#position += this.#step;
    }
    this.#dropUsed();
    return written;
  }

  /** Upper bound of the samples that one block of `inputLength` can make. */
  maxOutput(inputLength: number): number {
    return Math.ceil(inputLength / this.#step) + 2;
  }

  #sampleAt(position: number): number {
    const start = Math.floor(position);
    const filter = this.#filters[Math.round((position - start) * PHASES)] ?? NO_FILTER;
    let sum = 0;
    for (let tap = 0; tap < filter.length; tap += 1)
      sum += (filter[tap] ?? 0) * (this.#pending[start + tap] ?? 0);
    return sum;
  }

  #append(input: Float32Array): void {
    const needed = this.#pendingLength + input.length;
    if (needed > this.#pending.length) {
      const larger = new Float32Array(needed * 2);
      larger.set(this.#pending.subarray(0, this.#pendingLength));
      this.#pending = larger;
    }
    this.#pending.set(input, this.#pendingLength);
    this.#pendingLength = needed;
  }

  #dropUsed(): void {
    const used = Math.floor(this.#position);
    this.#pending.copyWithin(0, used, this.#pendingLength);
    this.#pendingLength -= used;
    this.#position -= used;
  }
}
