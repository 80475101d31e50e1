/**
 * Names to addresses. Only A and AAAA through the system's resolver: a trunk names its host and port. The search over
 * NAPTR and SRV (RFC 3263) comes with trunk fail-over.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Clock } from '@parley/runtime';

/** How long an answer is kept, milliseconds: the system does not tell us its time to live. */
const KEEP_MS = 60_000;
/** Most names kept. */
const MAX_NAMES = 1000;

/** Finds the address of a name. */
export type FindAddress = (name: string) => Promise<string>;

const findBySystem: FindAddress = async (name) => (await lookup(name)).address;

/** Keeps answers for a minute. */
export class HostResolver {
  readonly #clock: Clock;
  readonly #find: FindAddress;
  readonly #known = new Map<string, { address: string; untilMs: number }>();

  constructor(clock: Clock, find: FindAddress = findBySystem) {
    this.#clock = clock;
    this.#find = find;
  }

  /** The address if no question need be asked, otherwise null. */
  known(host: string): string | null {
    if (isIP(host) !== 0) return host;
    const entry = this.#known.get(host);
    return entry && entry.untilMs > this.#clock.monotonic() ? entry.address : null;
  }

  /** @throws Error when the name has no address */
  async resolve(host: string): Promise<string> {
    const known = this.known(host);
    if (known !== null) return known;
    const address = await this.#find(host);
    if (this.#known.size >= MAX_NAMES) this.#known.clear();
    this.#known.set(host, { address, untilMs: this.#clock.monotonic() + KEEP_MS });
    return address;
  }
}
