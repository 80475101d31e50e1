/** Limits what a user has open in this process, such as streams: with several api processes, each grants the whole limit. */
import { DomainError } from '@parley/core';

/** One for each process. */
export class OpenStreams {
  readonly #limit: number;
  readonly #what: string;
  readonly #counts = new Map<number, number>();

  /**
   * @param limit - of one user
   * @param what - for messages, for example `event streams`
   */
  constructor(limit: number, what: string) {
    this.#limit = limit;
    this.#what = what;
  }

  /**
   * Counts a stream.
   *
   * @returns a function that the end of the stream must call once
   * @throws DomainError `too-many` above the limit
   */
  enter(userId: number): () => void {
    const count = this.#counts.get(userId) ?? 0;
    if (count >= this.#limit)
      throw new DomainError(
        'too-many',
        `You have ${this.#limit} open ${this.#what}, which is the limit. Close one before you open another.`,
      );
    this.#counts.set(userId, count + 1);
    return () => this.#leave(userId);
  }

  #leave(userId: number): void {
    const count = (this.#counts.get(userId) ?? 1) - 1;
    if (count === 0) this.#counts.delete(userId);
    else this.#counts.set(userId, count);
  }
}
