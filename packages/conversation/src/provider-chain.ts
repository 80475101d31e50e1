/** Providers of one kind: the first choice and its replacements. */

/** An ordered list of providers, one of which is in use. A replacement stays in use for the rest of the call. */
export class ProviderChain<T> {
  readonly #choices: readonly [T, ...T[]];
  #at = 0;

  constructor(first: T, ...fallbacks: readonly T[]) {
    this.#choices = [first, ...fallbacks];
  }

  get current(): T {
    return this.following(0);
  }

  /** The provider that would be in use after `count` replacements. */
  following(count: number): T {
    return this.#choices[(this.#at + count) % this.size] ?? this.#choices[0];
  }

  get size(): number {
    return this.#choices.length;
  }

  /** Switches to the next provider, and after the last one to the first, which may have recovered. */
  replace(): void {
    this.#at = (this.#at + 1) % this.size;
  }
}
