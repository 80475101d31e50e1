/**
 * The simulated recogniser of `bench:talk`. The caller repeats one phrase, so that the recogniser derives the words from
 * the duration of the sound: a word is recognised as soon as half of its time has passed.
 */

/** Peak from which sound counts as speech. */
const SPEECH_PEAK = 500;
/** After this much silence, sound begins a new phrase; pauses within the phrase are shorter. */
const NEW_PHRASE_AFTER_MS = 100;
/** The chunks of the audio stream may cut the end of a phrase by up to this much. */
const TOLERANCE_MS = 60;

/** One call. */
export class PhraseRecogniser {
  readonly #phraseMs: number;
  readonly #transcripts: readonly (readonly string[])[];
  /** Index of the current phrase; -1 before the first. */
  #phrase = -1;
  /** The number of its words that are in final transcripts. */
  #finalWords = 0;
  /** The words of the previous phrase that are in no final transcript. */
  #carriedOver: readonly string[] = [];
  #nowMs = 0;
  #beganMs = 0;
  #lastLoudMs = -Infinity;

  /**
   * @param phraseMs - from the beginning to the end of the sound of the phrase
   * @param transcripts - the recognised words for each repetition of the phrase
   */
  constructor(phraseMs: number, transcripts: readonly (readonly string[])[]) {
    this.#phraseMs = phraseMs;
    this.#transcripts = transcripts;
  }

  /**
   * @param sound - mono Int16 little endian, 8000 Hz
   * @returns the interim transcript if a word was added to it, otherwise null
   */
  push(sound: Buffer): string | null {
    const before = this.#recognisedWords();
    this.#nowMs += sound.length / 16;
    if (isLoud(sound)) this.#follow();
    return this.#recognisedWords() > before ? this.#pending().join(' ') : null;
  }

  /** The caller pauses: returns the final transcript since the previous one. */
  take(): string {
    const text = this.#pending().join(' ');
    this.#finalWords = this.#recognisedWords();
    this.#carriedOver = [];
    return text;
  }

  #follow(): void {
    if (
      this.#nowMs - this.#lastLoudMs > NEW_PHRASE_AFTER_MS &&
      this.#speechMs() > this.#phraseMs - TOLERANCE_MS
    ) {
      this.#carriedOver = this.#pending();
      this.#phrase += 1;
      this.#finalWords = 0;
      this.#beganMs = this.#nowMs;
    }
    this.#lastLoudMs = this.#nowMs;
  }

  /** From the beginning of the phrase to the latest sound. */
  #speechMs(): number {
    return this.#phrase < 0 ? Infinity : this.#lastLoudMs - this.#beganMs;
  }

  #recognisedWords(): number {
    const words = this.#transcripts[this.#phrase] ?? [];
    const recognised = Math.floor(((this.#speechMs() + TOLERANCE_MS) / this.#phraseMs) * words.length + 0.5);
    return Math.min(words.length, recognised);
  }

  #pending(): readonly string[] {
    const words = this.#transcripts[this.#phrase] ?? [];
    return [...this.#carriedOver, ...words.slice(this.#finalWords, this.#recognisedWords())];
  }
}

function isLoud(sound: Buffer): boolean {
  for (let at = 0; at + 1 < sound.length; at += 2)
    if (Math.abs(sound.readInt16LE(at)) > SPEECH_PEAK) return true;
  return false;
}
