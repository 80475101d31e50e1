/**
 * Keeps speech continuous when a voice delivers more slowly than it is played. After an underrun in the middle of a sentence,
 * audio is collected before playback continues, so that the caller hears one pause instead of fragments of words. Each further
 * underrun of a turn doubles the amount, up to a limit.
 */

const FIRST_MS = 300;
const LONGEST_MS = 1200;

/** One per turn. */
export class UnderrunBuffer {
  readonly #play: (samples: Int16Array) => void;
  readonly #samplesPerMs: number;
  #wantedMs = FIRST_MS;
  /** What is collected; null while playback is continuous. */
  #held: Int16Array[] | null = null;
  #heldSamples = 0;

  constructor({ sampleRateHz, play }: { sampleRateHz: number; play: (samples: Int16Array) => void }) {
    this.#samplesPerMs = sampleRateHz / 1000;
    this.#play = play;
  }

  /** Playback has come to the end of the audio in the middle of a sentence. @returns false if that is known already */
  begin(): boolean {
    if (this.#held) return false;
    this.#held = [];
    return true;
  }

  /** Plays the samples, or collects them. */
  push(samples: Int16Array): void {
    if (!this.#held) return this.#play(samples);
    this.#held.push(samples);
    this.#heldSamples += samples.length;
    if (this.#heldSamples < this.#wantedMs * this.#samplesPerMs) return;
    this.#wantedMs = Math.min(LONGEST_MS, this.#wantedMs * 2);
    this.flush();
  }

  /** Plays what was collected: no more audio of the sentence is to come. */
  flush(): void {
    const held = this.#held ?? [];
    this.#held = null;
    this.#heldSamples = 0;
    for (const samples of held) this.#play(samples);
  }
}
