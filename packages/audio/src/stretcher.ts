/**
 * Plays streaming audio faster or slower by parts per million, to compensate for the drift between the far end's clock and
 * ours. The speed may change with every chunk without a discontinuity: each output sample is interpolated between the input
 * samples by a windowed sinc, at a position that advances by the speed.
 *
 * As long as the speed has always been 1, samples come out unchanged, {@link Stretcher.latencySamples} later.
 */
import { clip } from './level.ts';
import { windowedSinc } from './windowed-sinc.ts';

/** Input samples per output sample. 24 keep the telephone band flat to 0.1 dB. */
const TAPS = 24;
/** The tap at the read position. */
const CENTRE = TAPS / 2 - 1;
/** Number of filters between two samples; the weights are interpolated between two filters. */
const PHASES = 128;

/** Row p: the weights for a position p / PHASES after tap CENTRE. One more row than phases, for interpolation. */
const WEIGHTS = makeWeights();

/** Stretches one stream. */
export class Stretcher {
  /** The delay: input samples between the newest input and the current output. */
  static readonly latencySamples = TAPS - 1 - CENTRE;
  /** The last TAPS input samples, then the current chunk. */
  #window = new Float32Array(TAPS);
  /** The next read position, in input samples after the oldest possible position; about 0 between chunks. */
  #position = 0;

  /** The fraction of a sample by which the read position is ahead. */
  get position(): number {
    return this.#position;
  }

  /**
   * The number of input samples for the next chunk.
   *
   * @param outputSamples - length of the chunk
   * @param speed - input samples per output sample; about 1
   */
  inputFor(outputSamples: number, speed: number): number {
    return Math.floor(this.#position + (outputSamples - 1) * speed) + 1;
  }

  /**
   * Produces the next chunk.
   *
   * @param input - of the length that {@link inputFor} returns for this output and speed
   */
  processInto(input: Int16Array, output: Int16Array, speed: number): void {
    const window = this.#load(input);
    for (let i = 0; i < output.length; i++) {
      const position = this.#position + i * speed;
      const whole = Math.floor(position);
      // The window starts one sample before position 0, because a position may be slightly negative.
      output[i] = clip(readAt(window, whole + 1, position - whole));
    }
    this.#position += output.length * speed - input.length;
    window.copyWithin(0, input.length, input.length + TAPS);
  }

  #load(input: Int16Array): Float32Array {
    if (this.#window.length < TAPS + input.length) {
      const larger = new Float32Array(TAPS + input.length);
      larger.set(this.#window.subarray(0, TAPS));
      this.#window = larger;
    }
    this.#window.set(input, TAPS);
    return this.#window;
  }
}

/** The value at `fraction` of a sample after tap CENTRE of the taps that start at `start`. */
function readAt(window: Float32Array, start: number, fraction: number): number {
  if (fraction === 0) return window[start + CENTRE] ?? 0;
  const phase = Math.floor(fraction * PHASES);
  const between = fraction * PHASES - phase;
  const row = phase * TAPS;
  let sum = 0;
  for (let tap = 0; tap < TAPS; tap++) {
    const weight = WEIGHTS[row + tap] ?? 0;
    const next = WEIGHTS[row + TAPS + tap] ?? 0;
    sum += (weight + between * (next - weight)) * (window[start + tap] ?? 0);
  }
  return sum;
}

function makeWeights(): Float32Array {
  const weights = new Float32Array((PHASES + 1) * TAPS);
  const shape = { cutoff: 1, width: TAPS / 2 };
  for (let phase = 0; phase <= PHASES; phase++)
    for (let tap = 0; tap < TAPS; tap++)
      weights[phase * TAPS + tap] = windowedSinc(tap - CENTRE - phase / PHASES, shape);
  return weights;
}
