/**
 * Resolves host names to addresses by their A or AAAA records. `sip-server-resolver.ts` finds the hosts of a SIP domain.
 *
 * Queries go directly to the name servers with `dns.Resolver`. `dns.lookup` would occupy one of the four threads that all
 * calls share, so that the slow name server of one trunk would delay the calls of others.
 */
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { AnswerCache } from './answer-cache.ts';
import type { Clock } from './clock.ts';
import { openNameServers } from './name-servers.ts';

const HOSTS_FILE = '/etc/hosts';
const LOOPBACK = { 4: '127.0.0.1', 6: '::1' } as const;

/** The address family of the socket that sends. */
export type AddressFamily = 4 | 6;
/** At least one address. */
export type Addresses = readonly [string, ...string[]];
/** Finds the addresses of a name. @throws Error when it has none */
export type FindAddresses = (name: string, family: AddressFamily) => Promise<Addresses>;

/** Caches answers and failures; concurrent questions for one name share a query. */
export class HostResolver {
  readonly #answers: AnswerCache<Addresses>;

  constructor(clock: Clock, family: AddressFamily, find: FindAddresses = addressFinder()) {
    this.#answers = new AnswerCache(clock, (name) => find(name, family));
  }

  /** The address if it is known without a query, otherwise null. */
  known(host: string): string | null {
    return isIP(host) === 0 ? (this.#answers.known(host)?.[0] ?? null) : host;
  }

  /** The first address. Rejects when the name has none, or after four seconds. */
  async resolve(host: string): Promise<string> {
    const [address] = await this.resolveAll(host);
    return address;
  }

  /** All addresses. Rejects when the name has none, or after four seconds. */
  resolveAll(host: string): Promise<Addresses> {
    return isIP(host) === 0 ? this.#answers.ask(host) : Promise.resolve([host]);
  }
}

/** @param servers - name servers as `host:port`; default: those of the system */
export function addressFinder(servers?: readonly string[]): FindAddresses {
  return async (name, family) => {
    const listed = await findLocally(name, family);
    if (listed !== null) return [listed];
    const resolver = openNameServers(servers);
    const [address, ...others] = family === 4 ? await resolver.resolve4(name) : await resolver.resolve6(name);
    if (address === undefined) throw new Error('The host name has no address');
    return [address, ...others];
  };
}

/** Whether a name belongs to this machine, so that name servers are not asked for it. */
export async function isLocalName(name: string): Promise<boolean> {
  return (await findLocally(name, 4)) !== null || (await findLocally(name, 6)) !== null;
}

async function findLocally(name: string, family: AddressFamily): Promise<string | null> {
  // RFC 6761 section 6.3: names of localhost are resolved without a query.
  if (/^(?:.*\.)?localhost\.?$/i.test(name)) return LOOPBACK[family];
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => (line.split('#', 1)[0] ?? '').trim().split(/\s+/));
  const wanted = name.toLowerCase();
  const line = lines.find(
    ([address = '', ...names]) =>
      isIP(address) === family && names.some((each) => each.toLowerCase() === wanted),
  );
  return line?.[0] ?? null;
}
