/**
 * Changes the sample rate of a running sound: a windowed sinc (Kaiser) cut into one short filter per output phase, so
 * that every output sample costs one dot product. Streaming: pieces of any length give exactly what the whole gives.
 *
 * With the rates reduced to `up / down`, output sample k lies at input position k * down / up. The sound comes out
 * {@link Resampler.latencySamples} later than it went in, in exchange for constant amounts: 20 ms in, 20 ms out.
 */
import { clip } from './level.ts';
import { windowedSinc } from './windowed-sinc.ts';

/** Zero crossings of the sinc on either side, at the lower of both rates. More is steeper and slower. */
const HALF_WIDTH = 16;
/** Where the pass band ends, as a share of half the lower rate; the rest is the filter's slope. */
const PASS_BAND = 0.91;

/** One direction of one sound. Holds the last few milliseconds between calls. */
export class Resampler {
  readonly fromHz: number;
  readonly toHz: number;
  /** Output samples by which the sound is late; constant. About 2 ms on telephone rates. */
  readonly latencySamples: number;

  readonly #up: number;
  readonly #down: number;
  readonly #tapCount: number;
  /** `up` filters of `tapCount` taps one after the other; phase p, tap t at p * tapCount + t. */
  readonly #taps: Float64Array;
  /** The last `tapCount - 1` input samples, then the piece being worked on. */
  #window: Float64Array;
  /** Position of the next output sample beyond the newest known input sample, in 1 / up input samples. */
  #phase = 0;

  /** @param fromHz - whole numbers of hertz, both */
  constructor(fromHz: number, toHz: number) {
    const divisor = greatestCommonDivisor(fromHz, toHz);
    this.fromHz = fromHz;
    this.toHz = toHz;
    this.#up = toHz / divisor;
    this.#down = fromHz / divisor;
    const width = HALF_WIDTH * Math.max(1, fromHz / toHz);
    this.#tapCount = 2 * Math.ceil(width);
    this.latencySamples = Math.round((this.#tapCount / 2) * (toHz / fromHz));
    this.#taps = makeTaps({ up: this.#up, tapCount: this.#tapCount, width });
    this.#window = new Float64Array(this.#tapCount - 1);
  }

  /** An upper bound of what {@link process} gives for an input of that length. */
  maxOutput(inputSamples: number): number {
    return Math.ceil((inputSamples * this.#up) / this.#down) + 1;
  }

  /**
   * Resamples the next piece.
   *
   * @param output - at least {@link maxOutput} long
   * @returns how many samples of `output` were written
   */
  processInto(input: Int16Array, output: Int16Array): number {
    const kept = this.#tapCount - 1;
    const window = this.#load(input);
    let written = 0;
    let position = this.#phase;
    const end = input.length * this.#up;
    for (; position < end; position += this.#down) {
      const newest = Math.floor(position / this.#up);
      output[written++] = clip(this.#dotProduct(window, newest, position - newest * this.#up));
    }
    this.#phase = position - end;
    window.copyWithin(0, input.length, input.length + kept);
    return written;
  }

  /** Like {@link processInto}, into an array of its own. */
  process(input: Int16Array): Int16Array {
    const output = new Int16Array(this.maxOutput(input.length));
    return output.subarray(0, this.processInto(input, output));
  }

  /** Gives the tail that is still inside, and starts afresh. */
  flush(): Int16Array {
    const tail = this.process(new Int16Array(this.#tapCount / 2));
    this.reset();
    return tail;
  }

  /** Forgets everything heard so far. */
  reset(): void {
    this.#window.fill(0);
    this.#phase = 0;
  }

  #load(input: Int16Array): Float64Array {
    const kept = this.#tapCount - 1;
    if (this.#window.length < kept + input.length) {
      const larger = new Float64Array(kept + input.length);
      larger.set(this.#window.subarray(0, kept));
      this.#window = larger;
    }
    this.#window.set(input, kept);
    return this.#window;
  }

  /** Two sums at once: each addition would wait for the one before it. There is an even number of taps. */
  #dotProduct(window: Float64Array, start: number, phase: number): number {
    const count = this.#tapCount;
    const offset = phase * count;
    const taps = this.#taps;
    let even = 0;
    let odd = 0;
    for (let t = 0; t < count; t += 2) {
      even += (taps[offset + t] ?? 0) * (window[start + t] ?? 0);
      odd += (taps[offset + t + 1] ?? 0) * (window[start + t + 1] ?? 0);
    }
    return even + odd;
  }
}

/** Resamples a whole sound at once, tail included and without the delay, so that it starts where the input starts. */
export function resample(samples: Int16Array, fromHz: number, toHz: number): Int16Array {
  if (fromHz === toHz) return samples;
  const resampler = new Resampler(fromHz, toHz);
  const body = resampler.process(samples);
  const tail = resampler.flush();
  const output = new Int16Array(body.length + tail.length);
  output.set(body);
  output.set(tail, body.length);
  const length = Math.round((samples.length * toHz) / fromHz);
  return output.subarray(resampler.latencySamples, resampler.latencySamples + length);
}

/** Tap t of phase p weighs the input sample that lies `tapCount / 2 - t + p / up - 1` before the output's centre. */
function makeTaps({ up, tapCount, width }: { up: number; tapCount: number; width: number }): Float64Array {
  const taps = new Float64Array(up * tapCount);
  const cutoff = (PASS_BAND * HALF_WIDTH) / width;
  for (let phase = 0; phase < up; phase++) {
    const row = taps.subarray(phase * tapCount, (phase + 1) * tapCount);
    let sum = 0;
    for (let t = 0; t < tapCount; t++) {
      const distance = tapCount / 2 - 1 - t + phase / up;
      const weight = windowedSinc(distance, { cutoff, width });
      row[t] = weight;
      sum += weight;
    }
    // Every phase passes a constant unchanged; otherwise rounding would put a faint tone on it.
    for (let t = 0; t < tapCount; t++) row[t] = (row[t] ?? 0) / sum;
  }
  return taps;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
