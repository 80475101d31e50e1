/** Limits the streams that a user has open in this process: with several api processes, each grants the whole limit. */
import { DomainError } from '@parley/core';

/** One for each process. */
export class OpenStreams {
  readonly #limit: number;
  readonly #counts = new Map<number, number>();

  /** @param limit - streams of one user */
  constructor(limit: number) {
    this.#limit = limit;
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
        `You have ${this.#limit} open event streams, which is the limit. Close one before you open another.`,
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
