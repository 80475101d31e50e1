/** The sound that a recogniser of whole utterances has received since the last utterance. */
import { speechSpan } from './speech-span.ts';

/** All such recognisers use this rate. */
export const UTTERANCE_RATE_HZ = 16_000;

const samplesIn = (ms: number): number => Math.floor((ms * UTTERANCE_RATE_HZ) / 1000);

/** Filled piece by piece; {@link take} returns the speech and begins the next utterance. */
export class Utterance {
  readonly #longestSamples: number;
  readonly #marginMs: number;
  #pieces: Int16Array[] = [];
  #keptSamples = 0;
  #pushedSamples = 0;

  /**
   * @param longestSeconds - only the end of a longer utterance is kept
   * @param marginMs - kept before and after the speech
   */
  constructor({ longestSeconds, marginMs }: { longestSeconds: number; marginMs: number }) {
    this.#longestSamples = longestSeconds * UTTERANCE_RATE_HZ;
    this.#marginMs = marginMs;
  }

  push(samples: Int16Array): void {
    this.#pieces.push(samples.slice());
    this.#keptSamples += samples.length;
    this.#pushedSamples += samples.length;
    while (this.#keptSamples - (this.#pieces[0]?.length ?? 0) > this.#longestSamples)
      this.#keptSamples -= this.#pieces.shift()?.length ?? 0;
  }

  /**
   * The speech, empty if there was none, and the end of the utterance in the sound pushed so far. `fromOnset` is the same
   * speech without what passes into its onset: for recognisers that find no words in the whole.
   *
   * @param speechFromMs - where a detector found its onset in the sound pushed so far
   */
  take(speechFromMs = 0): { speech: Int16Array; fromOnset: Int16Array; endMs: number } {
    const whole = new Int16Array(this.#keptSamples);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    const onset = Math.max(0, samplesIn(speechFromMs) - (this.#pushedSamples - whole.length));
    const withMargin = Math.max(0, onset - samplesIn(this.#marginMs));
    this.clear();
    return {
      speech: speechSpan(whole, this.#marginMs, onset),
      fromOnset: speechSpan(whole.subarray(withMargin), this.#marginMs),
      endMs: (this.#pushedSamples * 1000) / UTTERANCE_RATE_HZ,
    };
  }

  clear(): void {
    this.#pieces = [];
    this.#keptSamples = 0;
  }
}
