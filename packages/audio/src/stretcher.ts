/**
 * Plays a running sound a little faster or slower, by parts per million: what comes from a clock that is not quite ours
 * is brought to ours. The speed may change with every piece and makes no step: each output sample is read between the
 * input samples by a windowed sinc, at a position that walks on by the speed.
 *
 * At speed 1 and until it was first another, samples come out as they went in, {@link Stretcher.latencySamples} later.
 */
import { clip } from './level.ts';
import { windowedSinc } from './windowed-sinc.ts';

/** Input samples that make an output sample. 24 keep the band of a telephone even to 0.1 dB. */
const TAPS = 24;
/** The tap at the reading position. */
const CENTRE = TAPS / 2 - 1;
/** Filters kept, by where between two samples they read; between two filters the weights are interpolated. */
const PHASES = 128;

/** Row p: the weights for reading p / PHASES of a sample after tap CENTRE. One row more than phases, for interpolation. */
const WEIGHTS = makeWeights();

/** One running sound. */
export class Stretcher {
  /** Input samples between the newest one taken and the one that comes out. */
  static readonly latencySamples = TAPS - 1 - CENTRE;
  /** The last TAPS input samples, then the piece being worked on. */
  #window = new Float32Array(TAPS);
  /** Where the next output sample is read, in input samples after the oldest position possible; about 0 between pieces. */
  #position = 0;

  /** How far the reading position is beyond whole samples; what is late by it has not come out yet. */
  get position(): number {
    return this.#position;
  }

  /**
   * How many input samples the next piece takes.
   *
   * @param outputSamples - length of the piece
   * @param speed - input samples for one output sample; about 1
   */
  inputFor(outputSamples: number, speed: number): number {
    return Math.floor(this.#position + (outputSamples - 1) * speed) + 1;
  }

  /**
   * Makes the next piece.
   *
   * @param input - as long as {@link inputFor} says for this output and speed
   */
  processInto(input: Int16Array, output: Int16Array, speed: number): void {
    const window = this.#load(input);
    for (let i = 0; i < output.length; i++) {
      const position = this.#position + i * speed;
      const whole = Math.floor(position);
      // The window begins one sample before position 0, since a position may lie a little below it.
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

/** The sound `fraction` of a sample after the tap CENTRE of the taps that begin at `start`. */
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
