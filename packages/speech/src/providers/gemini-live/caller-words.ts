/**
 * The words of the caller, as the provider transcribes them beside the dialogue: in pieces, at any time, and without
 * saying which sound they belong to. They are told when the model begins to answer, and what comes later follows then.
 */

/** One per session. */
export class CallerWords {
  readonly #report: (text: string, endMs: number) => void;
  #text = '';
  #committedMs = 0;
  /** A commit has not been told of. */
  #isOwed = false;

  constructor(tell: (text: string, endMs: number) => void) {
    this.#report = tell;
  }

  add(text: string): void {
    this.#text += text;
  }

  /** @param endMs - where the sound ends that the words are of */
  commit(endMs: number): void {
    this.#committedMs = endMs;
    this.#isOwed = true;
  }

  /** @param isLast - nothing more is expected: silence is told too */
  flush(isLast: boolean): void {
    const text = this.#text.trim();
    if (text === '' && !(isLast && this.#isOwed)) return;
    this.#text = '';
    this.#isOwed = false;
    this.#report(text, this.#committedMs);
  }
}
