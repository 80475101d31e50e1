/**
 * Evens out the arrival of frames before they are played. Playback starts after a short initial
 * delay, so that a late frame causes no gap. The delay does not grow: silence is dropped while too much audio is
 * buffered.
 */
import { WIRE_RATE_HZ } from './talk-wire.ts';

/** The audio that is buffered before playback starts: 40 ms. */
const START_SAMPLES = 0.04 * WIRE_RATE_HZ;

/** Silent frames are dropped while more than this waits: 160 ms. */
const LATE_SAMPLES = 0.16 * WIRE_RATE_HZ;

/** Capacity: 4 s. The oldest audio is dropped first. */
const CAPACITY_SAMPLES = 4 * WIRE_RATE_HZ;

/** A shorter rest is played after 80 ms without a frame: the end of an utterance. */
const TAIL_SAMPLES = 0.08 * WIRE_RATE_HZ;

/** Peak below which sound counts as silence: about -40 dBFS, Int16. */
export const SILENCE_PEAK = 330;

/** Largest absolute value of a stretch of Int16 samples. */
export function peakOf(samples: Int16Array): number {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return peak;
}

/** Mono, 16,000 Hz, Int16. Time is measured in played samples, without a clock. */
export class JitterBuffer {
  readonly #ring = new Int16Array(CAPACITY_SAMPLES);
  #readAt = 0;
  #length = 0;
  #isPlaying = false;
  #pulledSincePush = 0;

  /** Samples waiting to be played. */
  get waitingSamples(): number {
    return this.#length;
  }

  /** Takes a frame that has arrived. */
  push(frame: Int16Array): void {
    this.#pulledSincePush = 0;
    if (this.#length > LATE_SAMPLES && peakOf(frame) < SILENCE_PEAK) return;
    const excess = this.#length + frame.length - CAPACITY_SAMPLES;
    if (excess > 0) this.#skip(excess);
    for (const sample of frame) {
      this.#ring[(this.#readAt + this.#length) % CAPACITY_SAMPLES] = sample;
      this.#length += 1;
    }
  }

  /** Fills a block with sound, or with silence where there is none to play yet. */
  pull(block: Int16Array): void {
    this.#pulledSincePush += block.length;
    if (!this.#isPlaying) this.#isPlaying = this.#mayStart();
    block.fill(0);
    if (!this.#isPlaying) return;
    const count = Math.min(block.length, this.#length);
    for (let index = 0; index < count; index += 1)
      block[index] = this.#ring[(this.#readAt + index) % CAPACITY_SAMPLES] ?? 0;
    this.#skip(count);
    if (this.#length === 0) this.#isPlaying = false;
  }

  /** Drops everything that has not been played: the caller has interrupted. */
  clear(): void {
    this.#skip(this.#length);
    this.#isPlaying = false;
  }

  #mayStart(): boolean {
    if (this.#length >= START_SAMPLES) return true;
    return this.#length > 0 && this.#pulledSincePush >= TAIL_SAMPLES;
  }

  #skip(count: number): void {
    this.#readAt = (this.#readAt + count) % CAPACITY_SAMPLES;
    this.#length -= count;
  }
}
