/**
 * The words of a turn that arrives as one growing text, returned in parts: words that were reported as final are not repeated.
 * They are counted, so if a provider changes earlier words, one may be lost or repeated at the boundary.
 */

/** One turn after the other. */
export class TurnWords {
  #words: string[] = [];
  #taken = 0;

  /** @param text - all of the turn, as it is known now */
  hear(text: string): void {
    this.#words = text.trim() === '' ? [] : text.trim().split(/\s+/);
  }

  /** The words that were not taken yet. */
  get rest(): string {
    return this.#words.slice(this.#taken).join(' ');
  }

  /** Gives the rest, once. */
  take(): string {
    const { rest } = this;
    this.#taken = Math.max(this.#taken, this.#words.length);
    return rest;
  }

  /** The turn is over; the next text is another's. */
  end(): void {
    this.#words = [];
    this.#taken = 0;
  }
}
