/** Joins timed characters, or parts of words, to words: providers cut them as they like, also in the middle of a word. */
import type { TimedWord } from '../ports.ts';

/** One text. */
export class TimedWords {
  readonly #onWord: (word: TimedWord) => void;
  #open: TimedWord | null = null;

  /** @param onWord - called when a word is complete */
  constructor(onWord: (word: TimedWord) => void) {
    this.#onWord = onWord;
  }

  /** @param afterMs - is added to the times */
  add(parts: readonly TimedWord[], afterMs: number): void {
    for (const { text, startMs, endMs } of parts) {
      if (text.trim() === '') this.end();
      else if (this.#open)
        this.#open = { ...this.#open, text: this.#open.text + text, endMs: endMs + afterMs };
      else this.#open = { text, startMs: startMs + afterMs, endMs: endMs + afterMs };
    }
  }

  /** The word that is open is complete. */
  end(): void {
    if (this.#open) this.#onWord(this.#open);
    this.#open = null;
  }
}
