/**
 * The words of a turn that comes as one growing text, handed out in parts: what was given as a final is not given again.
 * Counted by words, so a provider that rewrites what it said before may lose or repeat one at the seam.
 */

/** One turn after the other. */
export class TurnWords {
  #words: string[] = [];
  #taken = 0;

  /** @param text - all of the turn, as it is known now */
  hear(text: string): void {
    this.#words = text.trim() === '' ? [] : text.trim().split(/\s+/);
  }

  /** What was not taken yet. */
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
