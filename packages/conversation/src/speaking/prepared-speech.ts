/** Sound made ahead of its time, while the phone still rings. Can be played before it is complete. */

/** Takes all of a stream as fast as it comes and gives it again, once, to whoever iterates. */
export class PreparedSpeech implements AsyncIterable<Int16Array> {
  /** True when all of it was made, false when the synthesiser failed. Never rejects. */
  readonly isMade: Promise<boolean>;
  readonly #chunks: Int16Array[] = [];
  #isSettled = false;
  #error: unknown = null;
  #wake: () => void = () => undefined;

  /** Starts to read at once. */
  constructor(source: AsyncIterable<Int16Array>) {
    this.isMade = this.#fill(source);
  }

  /** @throws what the source threw, after the sound that came before it */
  async *[Symbol.asyncIterator](): AsyncGenerator<Int16Array, void> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) yield chunk;
      else if (this.#error) throw this.#error;
      else if (this.#isSettled) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** All of it in one piece, once made. */
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
