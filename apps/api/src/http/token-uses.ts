/** Which uses of API tokens the audit log records: the first of each token and network in an hour. */
import { networkOf } from '@parley/runtime';

const HOUR_MS = 3_600_000;
/** The pairs of token and network that one process remembers. Further pairs in the same hour are recorded each time. */
const MOST_PAIRS = 10_000;

/** One per process; several processes may record the same use. */
export class TokenUses {
  #hour = 0;
  readonly #seen = new Set<string>();

  /** Remembers the use. @param atMs - of the clock */
  isFirst(tokenId: number, networkAddress: string, atMs: number): boolean {
    const hour = Math.floor(atMs / HOUR_MS);
    if (hour !== this.#hour) this.#seen.clear();
    this.#hour = hour;
    const pair = `${tokenId} ${networkOf(networkAddress)}`;
    if (this.#seen.has(pair)) return false;
    if (this.#seen.size < MOST_PAIRS) this.#seen.add(pair);
    return true;
  }
}
