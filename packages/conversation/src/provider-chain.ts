/** Who does a thing, and who takes over when they fail. */

/** An ordered list of providers with one of them at work. Whoever took over stays for the rest of the call. */
export class ProviderChain<T> {
  readonly #choices: readonly [T, ...T[]];
  #at = 0;

  constructor(first: T, ...fallbacks: readonly T[]) {
    this.#choices = [first, ...fallbacks];
  }

  get current(): T {
    return this.following(0);
  }

  /** Who would be at work after `count` replacements. */
  following(count: number): T {
    return this.#choices[(this.#at + count) % this.size] ?? this.#choices[0];
  }

  get size(): number {
    return this.#choices.length;
  }

  /** The current one failed. After the last comes the first again: it may have recovered. */
  replace(): void {
    this.#at = (this.#at + 1) % this.size;
  }
}
