/** Which numbers of messages have come: one that comes again, or far too late, is not taken. */

/** How far a message may be behind the newest one. Sound of more than a second ago is of no use. */
const WINDOW = 64;

/** The numbers of one stream, which count from 1. */
export class SeenNumbers {
  #highest = 0;
  readonly #recent = new Set<number>();

  /** @returns whether the number is new */
  take(number: number): boolean {
    if (number <= this.#highest - WINDOW || this.#recent.has(number)) return false;
    this.#recent.add(number);
    this.#highest = Math.max(this.#highest, number);
    if (this.#recent.size > 2 * WINDOW) this.#forget();
    return true;
  }

  #forget(): void {
    for (const number of this.#recent) if (number <= this.#highest - WINDOW) this.#recent.delete(number);
  }
}
