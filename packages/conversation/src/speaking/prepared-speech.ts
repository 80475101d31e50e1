/** Speech that is synthesised before it is needed. It can be played before it is complete. */

import type { TimedWord } from '@parley/speech';
import type { OnWord } from './voice-chain.ts';

/** Reads a stream as fast as it delivers, and can be iterated once. */
export class PreparedSpeech implements AsyncIterable<Int16Array> {
  /** True if all of it was synthesised, false if the synthesiser failed. Never rejects. */
  readonly isMade: Promise<boolean>;
  readonly #chunks: Int16Array[] = [];
  readonly #words: TimedWord[] = [];
  #onWord: OnWord | null = null;
  #isSettled = false;
  #error: unknown = null;
  #wake: () => void = () => undefined;

  /** Starts reading at once. */
  constructor(source: (onWord: OnWord) => AsyncIterable<Int16Array>) {
    const onWord: OnWord = (word) => {
      if (this.#onWord) this.#onWord(word);
      else this.#words.push(word);
    };
    this.isMade = this.#fill(source(onWord));
  }

  /** Passes on the words that are known, and later those that follow. */
  listen(onWord: OnWord): this {
    this.#onWord = onWord;
    for (const word of this.#words.splice(0)) onWord(word);
    return this;
  }

  /** @throws the error of the source, after the audio that was delivered before it */
  async *[Symbol.asyncIterator](): AsyncGenerator<Int16Array, void> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) yield chunk;
      else if (this.#error) throw this.#error;
      else if (this.#isSettled) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** All of it as one array, once it is complete. */
  async whole(): Promise<Int16Array> {
    await this.isMade;
    const whole = new Int16Array(this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }

  async #fill(source: AsyncIterable<Int16Array>): Promise<boolean> {
    try {
      for await (const chunk of source) {
        this.#chunks.push(chunk);
        this.#wake();
      }
    } catch (error) {
      this.#error = error;
    }
    this.#isSettled = true;
    this.#wake();
    return this.#error === null;
  }
}
