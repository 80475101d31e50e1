/**
 * Finds the servers of a SIP domain (RFC 3263 section 4): an address or a host with a port is used as it is; for any other
 * name NAPTR and SRV records are asked for, then its addresses. NAPTR and SRV are asked at the same time, because many name
 * servers are slow to answer a question for a type that they do not know.
 */
import { isIP } from 'node:net';
import { AnswerCache } from './answer-cache.ts';
import type { Clock } from './clock.ts';
import { isLocalName, type HostResolver } from './host-resolver.ts';
import { openNameServers } from './name-servers.ts';
import {
  isServiceDenied,
  orderSrvRecords,
  srvNameFrom,
  srvNameOf,
  type NaptrRecord,
  type SipTransport,
  type SrvRecord,
} from './sip-servers.rules.ts';

/** Asks for records; an empty list if there are none. @throws Error when no name server answers */
export interface FindRecords {
  naptr(name: string): Promise<NaptrRecord[]>;
  srv(name: string): Promise<SrvRecord[]>;
}

/** A domain, and how it is reached. */
export interface SipDomain {
  /** Name or address. */
  host: string;
  /** Null: SRV records decide; without them the default port. */
  port: number | null;
  transport: SipTransport;
}

/** Where the servers of a domain were found: `host`: by its own addresses. */
export type ServerSource = 'naptr' | 'srv' | 'host';

/** One address and port to which a request may be sent. */
export interface SipServer {
  address: string;
  port: number;
  /** That of its SRV record: lower ones are used first. Absent without one. */
  priority?: number;
}

/** What was found. */
export interface FoundServers {
  source: ServerSource;
  /** In the order in which they are to be tried; never empty. */
  servers: readonly [SipServer, ...SipServer[]];
}

const DEFAULT_PORTS: Readonly<Record<SipTransport, number>> = { udp: 5060, tcp: 5060, tls: 5061 };
const TRANSPORTS: readonly SipTransport[] = ['udp', 'tcp', 'tls'];
/** How many SRV records are followed. */
const MAX_RECORDS = 10;
/** How many servers are tried. */
const MAX_SERVERS = 8;
/** Answers of a name server that is reached and has no such record. */
const NO_RECORDS: readonly unknown[] = ['ENODATA', 'ENOTFOUND'];

/** Shared by all calls of a process. */
export class SipServerResolver {
  readonly #hosts: HostResolver;
  readonly #random: () => number;
  readonly #naptr: AnswerCache<NaptrRecord[]>;
  readonly #srv: AnswerCache<SrvRecord[]>;

  constructor(
    clock: Clock,
    hosts: HostResolver,
    { records = recordFinder(), random = Math.random }: { records?: FindRecords; random?: () => number } = {},
  ) {
    this.#hosts = hosts;
    this.#random = random;
    this.#naptr = new AnswerCache(clock, (name) => records.naptr(name));
    this.#srv = new AnswerCache(clock, (name) => records.srv(name));
  }

  /** @throws Error when no server has an address, or the domain says that it has none for this transport */
  async locate({ host, port, transport }: SipDomain): Promise<FoundServers> {
    const { records, source } = await this.#recordsOf({ host, port, transport });
    if (isServiceDenied(records)) throw new Error(`The domain does not offer SIP over ${transport}`);
    if (source === 'host') {
      const addresses = await this.#hosts.resolveAll(host);
      return { source, servers: firstFew(addresses, port ?? DEFAULT_PORTS[transport]) };
    }
    const ordered = orderSrvRecords(records, this.#random).slice(0, MAX_RECORDS);
    const found = await Promise.all(ordered.map(async (record) => this.#serversOf(record)));
    const [first, ...others] = found.flat().slice(0, MAX_SERVERS);
    if (!first) throw new Error('No server of the domain has an address');
    return { source, servers: [first, ...others] };
  }

  /** The addresses of all servers of a domain over every transport; for calls from there. Never rejects. */
  async allAddresses({ host, port }: Pick<SipDomain, 'host' | 'port'>): Promise<string[]> {
    const own = this.#hosts.resolveAll(host).catch(() => []);
    const located = TRANSPORTS.map(async (transport) => {
      const { records } = await this.#recordsOf({ host, port, transport });
      const few = records.slice(0, MAX_RECORDS);
      return (await Promise.all(few.map(async (record) => this.#serversOf(record)))).flat();
    });
    const [addresses, ...servers] = await Promise.all([own, ...located]);
    return [...new Set([...addresses, ...servers.flat().map(({ address }) => address)])];
  }

  /** Without records, or while no name server answers, the host is used by its own addresses (RFC 3263 section 4.2). */
  async #recordsOf({
    host,
    port,
    transport,
  }: SipDomain): Promise<{ source: ServerSource; records: SrvRecord[] }> {
    if (port !== null || isIP(host) !== 0 || (await isLocalName(host)))
      return { source: 'host', records: [] };
    const [naptr, usual] = await Promise.all([
      this.#naptr.ask(host).catch(() => []),
      this.#srv.ask(srvNameOf(host, transport)).catch(() => []),
    ]);
    const named = srvNameFrom(naptr, transport);
    const records = named === null ? [] : await this.#srv.ask(named).catch(() => []);
    if (records.length > 0) return { source: 'naptr', records };
    return usual.length > 0 ? { source: 'srv', records: usual } : { source: 'host', records: [] };
  }

  async #serversOf({ name, port, priority }: SrvRecord): Promise<SipServer[]> {
    const addresses = await this.#hosts.resolveAll(name).catch(() => []);
    return addresses.map((address) => ({ address, port, priority }));
  }
}

function firstFew([first, ...others]: readonly [string, ...string[]], port: number): FoundServers['servers'] {
  const more = others.slice(0, MAX_SERVERS - 1).map((address) => ({ address, port }));
  return [{ address: first, port }, ...more];
}

/** @param servers - name servers as `host:port`; default: those of the system */
export function recordFinder(servers?: readonly string[]): FindRecords {
  return {
    naptr: async (name) => orNone(openNameServers(servers).resolveNaptr(name)),
    srv: async (name) => orNone(openNameServers(servers).resolveSrv(name)),
  };
}

async function orNone<Entry>(asked: Promise<Entry[]>): Promise<Entry[]> {
  return asked.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && NO_RECORDS.includes(error.code)) return [];
    throw error;
  });
}
