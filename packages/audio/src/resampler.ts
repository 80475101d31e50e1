/**
 * Changes the sample rate of streaming audio: a polyphase filter from a Kaiser-windowed sinc, so that every output sample
 * costs one dot product. Chunks of any length give exactly the same output as the whole.
 *
 * With the rates reduced to `up / down`, output sample k lies at input position k * down / up. The output is delayed by
 * {@link Resampler.latencySamples}; in return 20 ms of input always give 20 ms of output.
 */
import { clip } from './level.ts';
import { windowedSinc } from './windowed-sinc.ts';

/** Zero crossings of the sinc on either side, at the lower rate. More crossings are steeper and slower. */
const HALF_WIDTH = 16;
/** The end of the pass band as a share of half the lower rate; the rest is the transition band. */
const PASS_BAND = 0.91;

/** Resamples one stream; keeps the last few milliseconds between calls. */
export class Resampler {
  readonly fromHz: number;
  readonly toHz: number;
  /** The constant delay in output samples; about 2 ms at telephone rates. */
  readonly latencySamples: number;

  readonly #up: number;
  readonly #down: number;
  readonly #tapCount: number;
  /** `up` filters of `tapCount` taps one after the other; phase p, tap t at p * tapCount + t. */
  readonly #taps: Float64Array;
  /** The last `tapCount - 1` input samples, then the current chunk. */
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

  /** The maximum output length of {@link process} for an input of that length. */
  maxOutput(inputSamples: number): number {
    return Math.ceil((inputSamples * this.#up) / this.#down) + 1;
  }

  /**
   * Resamples the next chunk.
   *
   * @param output - at least {@link maxOutput} samples long
   * @returns the number of samples written to `output`
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

  /** Like {@link processInto}, into a new array. */
  process(input: Int16Array): Int16Array {
    const output = new Int16Array(this.maxOutput(input.length));
    return output.subarray(0, this.processInto(input, output));
  }

  /** Returns the remaining tail and resets the resampler. */
  flush(): Int16Array {
    const tail = this.process(new Int16Array(this.#tapCount / 2));
    this.reset();
    return tail;
  }

  /** Forgets all earlier input. */
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

  /** Two independent sums, because a single one would serialise the additions. The number of taps is even. */
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

/** Resamples a complete recording, without the delay and including the tail. */
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
    // Normalised to unity gain per phase; otherwise a constant would be modulated by a faint tone.
    for (let t = 0; t < tapCount; t++) row[t] = (row[t] ?? 0) / sum;
  }
  return taps;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
