/**
 * What the simulated recogniser of `bench:talk` makes of a call's sound: the caller says the same phrase again and again,
 * and it hears as many words of it as there was time for. A word is guessed when half of it was said.
 */

/** Peak from which sound counts as speech. */
const SPEECH_PEAK = 500;
/** Silence after which sound is a phrase of its own; pauses within the phrase are shorter. */
const NEW_PHRASE_AFTER_MS = 100;
/** The last piece of a phrase may be cut off by the pieces in which it comes. */
const TOLERANCE_MS = 60;

/** One call. */
export class PhraseEar {
  readonly #phraseMs: number;
  readonly #understood: readonly (readonly string[])[];
  /** The phrase that is being said, from 0; -1 before the first. */
  #phrase = -1;
  /** Of its words so many have been given for good. */
  #given = 0;
  /** Those of the phrase before it that have not. */
  #untold: readonly string[] = [];
  #nowMs = 0;
  #beganMs = 0;
  #lastLoudMs = -Infinity;

  /**
   * @param phraseMs - from the first sound of the phrase to the end of its last
   * @param understood - for each time that it is said, what stands for each of its words
   */
  constructor(phraseMs: number, understood: readonly (readonly string[])[]) {
    this.#phraseMs = phraseMs;
    this.#understood = understood;
  }

  /**
   * @param sound - mono Int16 little endian, 8000 Hz
   * @returns the words that are not given yet, when there is one more of them
   */
  hear(sound: Buffer): string | null {
    const before = this.#heardWords();
    this.#nowMs += sound.length / 16;
    if (isLoud(sound)) this.#follow();
    return this.#heardWords() > before ? this.#pending().join(' ') : null;
  }

  /** The caller pauses: what was said since the last time stands. */
  take(): string {
    const text = this.#pending().join(' ');
    this.#given = this.#heardWords();
    this.#untold = [];
    return text;
  }

  #follow(): void {
    if (
      this.#nowMs - this.#lastLoudMs > NEW_PHRASE_AFTER_MS &&
      this.#heardMs() > this.#phraseMs - TOLERANCE_MS
    ) {
      this.#untold = this.#pending();
      this.#phrase += 1;
      this.#given = 0;
      this.#beganMs = this.#nowMs;
    }
    this.#lastLoudMs = this.#nowMs;
  }

  /** From the phrase's beginning to its newest sound. */
  #heardMs(): number {
    return this.#phrase < 0 ? Infinity : this.#lastLoudMs - this.#beganMs;
  }

  #heardWords(): number {
    const words = this.#understood[this.#phrase] ?? [];
    const heard = Math.floor(((this.#heardMs() + TOLERANCE_MS) / this.#phraseMs) * words.length + 0.5);
    return Math.min(words.length, heard);
  }

  #pending(): readonly string[] {
    const words = this.#understood[this.#phrase] ?? [];
    return [...this.#untold, ...words.slice(this.#given, this.#heardWords())];
  }
}

function isLoud(sound: Buffer): boolean {
  for (let at = 0; at + 1 < sound.length; at += 2)
    if (Math.abs(sound.readInt16LE(at)) > SPEECH_PEAK) return true;
  return false;
}
