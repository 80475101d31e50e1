/**
 * The choice among DNS records of a SIP domain (RFC 3263 section 4, RFC 2782, RFC 3403).
 */

/** How SIP messages travel. */
export type SipTransport = 'udp' | 'tcp' | 'tls';

/** A NAPTR record (RFC 3403 section 4.1). */
export interface NaptrRecord {
  order: number;
  preference: number;
  flags: string;
  service: string;
  /** The name of SRV records for the flag `s`. */
  replacement: string;
}

/** An SRV record (RFC 2782). */
export interface SrvRecord {
  priority: number;
  weight: number;
  port: number;
  /** The name of a host; `.` or empty: the service does not exist here. */
  name: string;
}

/** RFC 3263 section 4.1, and section 10 for the values registered by it. */
const SERVICES: Readonly<Record<SipTransport, string>> = { udp: 'SIP+D2U', tcp: 'SIP+D2T', tls: 'SIPS+D2T' };
const PREFIXES: Readonly<Record<SipTransport, string>> = {
  udp: '_sip._udp',
  tcp: '_sip._tcp',
  tls: '_sips._tcp',
};

/** RFC 3263 section 4.2: the SRV records of a domain whose NAPTR records name none. */
export function srvNameOf(domain: string, transport: SipTransport): string {
  return `${PREFIXES[transport]}.${domain}`;
}

/**
 * The SRV name of the best NAPTR record. Section 4.1: "First, a client resolving a SIP URI MUST discard any services that [..]
 * are not supported by the client". Supported is the one transport for which a trunk is configured: a record must not move
 * a call from TLS to a transport that everybody can read.
 */
export function srvNameFrom(records: readonly NaptrRecord[], transport: SipTransport): string | null {
  const [best] = records
    .filter(({ flags, service, replacement }) => {
      const isService = service.toUpperCase() === SERVICES[transport];
      return flags.toLowerCase() === 's' && isService && replacement !== '';
    })
    .toSorted((a, b) => a.order - b.order || a.preference - b.preference);
  return best?.replacement ?? null;
}

/** RFC 2782: a single record with the target `.` says that the service is "decidedly not available at this domain". */
export function isServiceDenied(records: readonly SrvRecord[]): boolean {
  return records.length === 1 && isRoot(records[0]?.name ?? '');
}

/**
 * The order in which the records are tried: by priority, and within one priority at random by weight (RFC 2782): "Larger
 * weights SHOULD be given a proportionately higher probability of being selected", and records of weight 0 "a very small
 * chance of being selected" before others.
 *
 * @param random - from 0 up to, not including, 1
 */
export function orderSrvRecords(records: readonly SrvRecord[], random: () => number): SrvRecord[] {
  const usable = records.filter(({ name }) => !isRoot(name));
  const priorities = [...new Set(usable.map(({ priority }) => priority))].toSorted((a, b) => a - b);
  return priorities.flatMap((priority) =>
    orderByWeight(
      usable.filter((record) => record.priority === priority),
      random,
    ),
  );
}

function orderByWeight(records: readonly SrvRecord[], random: () => number): SrvRecord[] {
  const left = records.toSorted((a, b) => a.weight - b.weight);
  const ordered: SrvRecord[] = [];
  while (left.length > 0) ordered.push(...left.splice(pickByWeight(left, random()), 1));
  return ordered;
}

/** RFC 2782: "select the RR whose running sum value is the first in the selected order which is greater than or equal to" the number. */
function pickByWeight(records: readonly SrvRecord[], share: number): number {
  const total = records.reduce((sum, { weight }) => sum + weight, 0);
  const number = Math.floor(share * (total + 1));
  let sum = 0;
  return records.findIndex(({ weight }) => (sum += weight) >= number);
}

function isRoot(name: string): boolean {
  return name === '' || name === '.';
}
