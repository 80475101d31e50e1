/**
 * Resolves host names to addresses. Only A and AAAA records: a trunk names its host and port. NAPTR and SRV (RFC 3263)
 * come with trunk fail-over.
 *
 * Queries go directly to the name servers with `dns.Resolver`. `dns.lookup` would occupy one of the four threads that all
 * calls share, so that the slow name server of one trunk would delay the calls of others.
 */
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Clock } from './clock.ts';
import { withDeadline } from './deadline.ts';

/** How long an answer is cached, milliseconds. */
const CACHE_MS = 60_000;
/** How long a failure is cached, milliseconds. */
const FAILURE_CACHE_MS = 5000;
/** Limit of one resolution, milliseconds. */
const LIMIT_MS = 4000;
const QUERY_TIMEOUT_MS = 1500;
/** Limit of cached names. */
const MAX_NAMES = 1000;
const HOSTS_FILE = '/etc/hosts';
const LOOPBACK = { 4: '127.0.0.1', 6: '::1' } as const;

/** The address family of the socket that sends. */
export type AddressFamily = 4 | 6;
/** Finds the addresses of a name. @throws Error when it has none */
export type FindAddresses = (name: string, family: AddressFamily) => Promise<readonly [string, ...string[]]>;

interface Entry {
  /** Null while the first resolution is in progress, and after a failure. */
  address: string | null;
  result: Promise<readonly [string, ...string[]]>;
  untilMs: number;
}

/** Caches answers and failures; concurrent questions for one name share a query. */
export class HostResolver {
  readonly #clock: Clock;
  readonly #family: AddressFamily;
  readonly #find: FindAddresses;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock, family: AddressFamily, find: FindAddresses = findAddresses) {
    this.#clock = clock;
    this.#family = family;
    this.#find = find;
  }

  /** The address if it is known without a query, otherwise null. */
  known(host: string): string | null {
    return isIP(host) === 0 ? (this.#entry(host)?.address ?? null) : host;
  }

  /** The first address. Rejects when the name has none, or after four seconds. */
  async resolve(host: string): Promise<string> {
    const [address] = await this.resolveAll(host);
    return address;
  }

  /** All addresses. Rejects when the name has none, or after four seconds. */
  resolveAll(host: string): Promise<readonly [string, ...string[]]> {
    return isIP(host) === 0 ? (this.#entry(host) ?? this.#query(host)).result : Promise.resolve([host]);
  }

  #entry(host: string): Entry | undefined {
    const entry = this.#entries.get(host);
    return entry && entry.untilMs > this.#clock.monotonic() ? entry : undefined;
  }

  #query(host: string): Entry {
    if (this.#entries.size >= MAX_NAMES) this.#entries.clear();
    const result = withDeadline(this.#clock, LIMIT_MS, this.#find(host, this.#family));
    const entry: Entry = { address: null, result, untilMs: Infinity };
    this.#entries.set(host, entry);
    result.then(
      ([address]) => this.#settle(entry, address, CACHE_MS),
      () => this.#settle(entry, null, FAILURE_CACHE_MS),
    );
    return entry;
  }

  #settle(entry: Entry, address: string | null, cacheMs: number): void {
    entry.address = address;
    entry.untilMs = this.#clock.monotonic() + cacheMs;
  }
}

async function findAddresses(name: string, family: AddressFamily): Promise<readonly [string, ...string[]]> {
  // RFC 6761 section 6.3: names of localhost are resolved without a query.
  if (/^(?:.*\.)?localhost\.?$/i.test(name)) return [LOOPBACK[family]];
  const listed = await findInHostsFile(name, family);
  return listed === undefined ? queryNameServers(name, family) : [listed];
}

async function findInHostsFile(name: string, family: AddressFamily): Promise<string | undefined> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => (line.split('#', 1)[0] ?? '').trim().split(/\s+/));
  const wanted = name.toLowerCase();
  return lines.find(
    ([address = '', ...names]) =>
      isIP(address) === family && names.some((each) => each.toLowerCase() === wanted),
  )?.[0];
}

async function queryNameServers(
  name: string,
  family: AddressFamily,
): Promise<readonly [string, ...string[]]> {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 2 });
  const [address, ...others] = family === 4 ? await resolver.resolve4(name) : await resolver.resolve6(name);
  if (address === undefined) throw new Error('The host name has no address');
  return [address, ...others];
}
