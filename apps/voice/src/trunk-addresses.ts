/**
 * The addresses of all trunks. A source that calls unknown numbers is banned like a scanner, but a trunk never is: carriers
 * also send calls to numbers that are not assigned here, or not any more. Asked only after such a call was refused, and
 * about an answer to a call of a lost process.
 */
import { isIP } from 'node:net';
import type { HostPort } from '@parley/contracts';
import { listTrunkHosts, type CoreContext } from '@parley/core';

/** How long the addresses are kept, milliseconds. */
const KEPT_MS = 60_000;

/** Finds every address of a host. */
type FindAddresses = (host: HostPort) => Promise<string[]>;

/** Shared by all calls of a process: however many strangers call, names are resolved once a minute. */
export class TrunkAddresses {
  readonly #core: CoreContext;
  readonly #find: FindAddresses;
  #found: { untilMs: number; addresses: Promise<ReadonlySet<string>> } | null = null;

  constructor(core: CoreContext, find?: FindAddresses) {
    this.#core = core;
    this.#find = find ?? (async (host) => allAddresses(core, host));
  }

  /** @param ifUnknown - the result while the trunks cannot be read */
  async includes(address: string, { ifUnknown }: { ifUnknown: boolean }): Promise<boolean> {
    try {
      return (await this.#addresses()).has(plainAddress(address));
    } catch (error) {
      this.#found = null;
      this.#core.log.warn({ err: error }, 'The addresses of trunks could not be read');
      return ifUnknown;
    }
  }

  #addresses(): Promise<ReadonlySet<string>> {
    const nowMs = this.#core.clock.monotonic();
    if (!this.#found || this.#found.untilMs <= nowMs)
      this.#found = { untilMs: nowMs + KEPT_MS, addresses: this.#read() };
    return this.#found.addresses;
  }

  async #read(): Promise<ReadonlySet<string>> {
    const hosts = await listTrunkHosts(this.#core);
    const found = await Promise.all(hosts.map((host) => this.#of(host)));
    return new Set(found.flat().map(plainAddress));
  }

  /** A name that cannot be resolved has no address. */
  async #of(host: HostPort): Promise<string[]> {
    return isIP(host.host) === 0 ? this.#find(host).catch(() => []) : [host.host];
  }
}

/** The addresses of both families, and of the servers that SRV records name. */
async function allAddresses({ sipServers }: CoreContext, host: HostPort): Promise<string[]> {
  const found = await Promise.all([sipServers[4].allAddresses(host), sipServers[6].allAddresses(host)]);
  return found.flat();
}

/** RFC 4291 section 2.5.5.2: an IPv4 address on an IPv6 socket. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
}
