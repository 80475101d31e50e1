/**
 * Turns the bytes of a streamed sound into samples of another rate. Pieces of any length come in, cut where the network
 * cut them, also between the two bytes of a sample.
 */
import { Resampler } from '@parley/audio';

/** One sound. Bytes are mono Int16, little endian. */
export class PcmStream {
  readonly #resampler: Resampler | null;
  /** Samples still to be dropped, so that the resampler's delay is not heard as a pause. */
  #lateSamples: number;
  #oddByte: number | null = null;

  constructor(fromHz: number, toHz: number) {
    this.#resampler = fromHz === toHz ? null : new Resampler(fromHz, toHz);
    this.#lateSamples = this.#resampler?.latencySamples ?? 0;
  }

  /** @returns what is complete by now, possibly nothing */
  push(bytes: Uint8Array): Int16Array {
    const samples = this.#samplesOf(bytes);
    return this.#withoutDelay(this.#resampler?.process(samples) ?? samples);
  }

  /** @returns the rest, after the last piece */
  end(): Int16Array {
    return this.#withoutDelay(this.#resampler?.flush() ?? new Int16Array());
  }

  #samplesOf(bytes: Uint8Array): Int16Array {
    const carried = this.#oddByte === null ? 0 : 1;
    const whole = new Uint8Array(carried + bytes.length);
    if (this.#oddByte !== null) whole[0] = this.#oddByte;
    whole.set(bytes, carried);
    this.#oddByte = whole.length % 2 === 1 ? (whole.at(-1) ?? null) : null;
    const view = new DataView(whole.buffer);
    return Int16Array.from({ length: whole.length >> 1 }, (_, i) => view.getInt16(2 * i, true));
  }

  #withoutDelay(samples: Int16Array): Int16Array {
    const dropped = Math.min(this.#lateSamples, samples.length);
    this.#lateSamples -= dropped;
    return samples.subarray(dropped);
  }
}
