/**
 * Interleaves both channels of a recording for its file: the customer's, without noise where the assistant asks for that,
 * and the assistant's. The noise filter is asynchronous; sound that cannot be filtered is stored unfiltered.
 */
import { writeStereo } from '@parley/audio';
import type { NoiseFilterStream } from '@parley/speech';

const BYTES_PER_SAMPLE = 2;
const CHANNELS = 2;

/** The channels of one recording. Calls must be sequential: await each before the next. */
export class RecordingChannels {
  #filter: NoiseFilterStream | null;
  readonly #onNoiseKept: (error: unknown) => void;
  /** Input that was not returned yet; both have the same length. */
  #customer = new Int16Array(0);
  #assistant = new Int16Array(0);

  /**
   * @param filter - null leaves the sound as it is
   * @param onNoiseKept - called at most once, when the filter has failed and noise is no longer removed
   */
  constructor(filter: NoiseFilterStream | null, onNoiseKept: (error: unknown) => void) {
    this.#filter = filter;
    this.#onNoiseKept = onNoiseKept;
  }

  /**
   * Takes the next piece of both channels, of equal length, and returns what is ready.
   *
   * @param isLast - flushes the filter
   * @returns interleaved Int16, little endian: customer, assistant, customer, ...
   */
  async add(customer: Int16Array, assistant: Int16Array, isLast: boolean): Promise<Uint8Array> {
    this.#customer = joined(this.#customer, customer);
    this.#assistant = joined(this.#assistant, assistant);
    const cleaned = await this.#clean(customer, isLast);
    // The filter's last piece may be a little longer than the call.
    const length = Math.min(cleaned.length, this.#assistant.length);
    const sound = new Uint8Array(length * CHANNELS * BYTES_PER_SAMPLE);
    writeStereo(
      cleaned.subarray(0, length),
      this.#assistant.subarray(0, length),
      new DataView(sound.buffer),
      0,
    );
    this.#customer = this.#customer.subarray(length);
    this.#assistant = this.#assistant.subarray(length);
    return sound;
  }

  async #clean(customer: Int16Array, isLast: boolean): Promise<Int16Array> {
    if (!this.#filter) return this.#customer;
    try {
      return await this.#filter.clean(customer, isLast);
    } catch (error) {
      this.#filter = null;
      this.#onNoiseKept(error);
      return this.#customer;
    }
  }
}

function joined(one: Int16Array, other: Int16Array): Int16Array<ArrayBuffer> {
  const both = new Int16Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
