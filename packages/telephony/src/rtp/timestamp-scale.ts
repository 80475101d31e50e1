/**
 * Converts the RTP timestamps of a stream to samples of a leg: G.722 counts 8000 per second and has 16 000 samples (RFC 3551
 * section 4.5.2), Opus counts 48 000 at any rate (RFC 7587 section 4.1). Both count on across the wrap at 2^32.
 */
import { timestampDistance } from './rtp-packet.ts';

const WRAP = 2 ** 32;

/** The conversion of one received stream. */
export class TimestampScale {
  #samplesPerUnit = 1;
  #latest = 0;
  /** The position of the latest timestamp, with fractions. */
  #position = 0;

  /** Starts with another clock. */
  use(clockRateHz: number, sampleRateHz: number): void {
    this.#samplesPerUnit = sampleRateHz / clockRateHz;
  }

  /** @returns samples, 0 to 2^32 - 1 */
  toSamples(timestamp: number): number {
    if (this.#samplesPerUnit === 1) return timestamp;
    const moved = this.#position + timestampDistance(timestamp, this.#latest) * this.#samplesPerUnit;
    this.#latest = timestamp;
    this.#position = ((moved % WRAP) + WRAP) % WRAP;
    return Math.floor(this.#position);
  }
}
