/**
 * Limits what a user or a visitor has open in this process, such as streams: with several api processes, each grants the whole
 * limit.
 */
import { DomainError } from '@parley/core';

/** One for each process. */
export class OpenStreams {
  readonly #limit: number;
  readonly #what: string;
  readonly #counts = new Map<number | string, number>();

  /**
   * @param limit - of one user or visitor
   * @param what - for messages, for example `event streams`
   */
  constructor(limit: number, what: string) {
    this.#limit = limit;
    this.#what = what;
  }

  /**
   * Counts a stream.
   *
   * @param owner - the id of a user, or the network address of a visitor
   * @returns a function that the end of the stream must call once
   * @throws DomainError `too-many` above the limit
   */
  enter(owner: number | string): () => void {
    const count = this.#counts.get(owner) ?? 0;
    if (count >= this.#limit)
      throw new DomainError(
        'too-many',
        `You have ${this.#limit} open ${this.#what}, which is the limit. Close one before you open another.`,
      );
    this.#counts.set(owner, count + 1);
    return () => this.#leave(owner);
  }

  #leave(owner: number | string): void {
    const count = (this.#counts.get(owner) ?? 1) - 1;
    if (count === 0) this.#counts.delete(owner);
    else this.#counts.set(owner, count);
  }
}
