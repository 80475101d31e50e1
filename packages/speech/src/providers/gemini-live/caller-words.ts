/**
 * The words of the caller as the provider transcribes them beside the dialogue: in pieces, at any time, and without a
 * reference to the audio. They are reported when the model begins to answer; later words are reported as they arrive.
 */

/** One per session. */
export class CallerWords {
  readonly #report: (text: string, endMs: number) => void;
  #text = '';
  #committedMs = 0;
  /** The words of a commit have not been reported yet. */
  #isOwed = false;

  constructor(tell: (text: string, endMs: number) => void) {
    this.#report = tell;
  }

  add(text: string): void {
    this.#text += text;
  }

  /** @param endMs - end of the audio to which the words belong */
  commit(endMs: number): void {
    this.#committedMs = endMs;
    this.#isOwed = true;
  }

  /** @param isLast - no more words are expected, so an empty text is reported too */
  flush(isLast: boolean): void {
    const text = this.#text.trim();
    if (text === '' && !(isLast && this.#isOwed)) return;
    this.#text = '';
    this.#isOwed = false;
    this.#report(text, this.#committedMs);
  }
}
