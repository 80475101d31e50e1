/**
 * Bans sources that scan for open SIP servers: after ten bad requests within ten minutes, messages of a source are dropped
 * for ten minutes without a response. A source with which we have a call is never banned, nor is our own network: it is
 * trusted from its first dialed or accepted call on. Offences count for a network, because an IPv6 host has 2^64 addresses.
 */
import { isForbiddenAddress, networkOf } from '@parley/runtime';

const BAD_REQUESTS = 10;
const PERIOD_MS = 600_000;
const BAN_MS = 600_000;
/** Limit of the tables, so that forged addresses cannot exhaust the memory. */
const MAX_SOURCES = 10_000;

/**
 * Responses to malformed and unsupported requests, and to calls of strangers (403). 404 and 481 are not among them: a trunk
 * gets them for a number that is not assigned, and for calls of a process that has died. A 404 for a stranger is counted by
 * {@link SourceBans.offended}.
 */
const BAD_STATUSES: ReadonlySet<number> = new Set([400, 403, 405, 413, 415, 416, 420, 483, 505]);

interface Offence {
  count: number;
  /** When the count, or the ban, ends. */
  untilMs: number;
}

/** Counts bad requests by the network of their source. Times are monotonic. */
export class SourceBans {
  readonly #isExempt: (address: string) => boolean;
  readonly #offences = new Map<string, Offence>();
  readonly #trusted = new Set<string>();

  /** @param isExempt - addresses that are never banned. Default: those that are not public */
  constructor(isExempt = (address: string): boolean => isForbiddenAddress(address, 'none')) {
    this.#isExempt = isExempt;
  }

  isBanned(address: string, nowMs: number): boolean {
    const network = networkOf(address);
    const offence = this.#offences.get(network);
    if (offence && offence.untilMs <= nowMs) this.#offences.delete(network);
    if (offence === undefined || offence.untilMs <= nowMs || offence.count < BAD_REQUESTS) return false;
    return !this.#isTrusted(address);
  }

  /** A call with this source was dialed or accepted. */
  trust(address: string): void {
    this.#offences.delete(networkOf(address));
    dropOldest(this.#trusted);
    this.#trusted.add(address);
  }

  /** A request of this source was answered with `status`. Returns true when that bans it. */
  answered(address: string, status: number, nowMs: number): boolean {
    return BAD_STATUSES.has(status) && this.offended(address, nowMs);
  }

  /** Counts a bad request, whatever its response was. Returns true when that bans the source. */
  offended(address: string, nowMs: number): boolean {
    if (this.#isTrusted(address)) return false;
    if (this.isBanned(address, nowMs)) return false;
    const network = networkOf(address);
    const offence = this.#offences.get(network) ?? this.#open(network, nowMs);
    offence.count += 1;
    if (offence.count < BAD_REQUESTS) return false;
    offence.untilMs = nowMs + BAN_MS;
    return true;
  }

  #isTrusted(address: string): boolean {
    return this.#trusted.has(address) || this.#isExempt(address);
  }

  #open(network: string, nowMs: number): Offence {
    dropOldest(this.#offences);
    const offence = { count: 0, untilMs: nowMs + PERIOD_MS };
    this.#offences.set(network, offence);
    return offence;
  }
}

/** The status of a response as it goes onto the wire, null for a request. */
export function statusOf(bytes: Uint8Array): number | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString('latin1');
  const status = /^SIP\/2\.0 (\d{3}) /.exec(start)?.[1];
  return status === undefined ? null : Number(status);
}

function dropOldest(table: Map<string, unknown> | Set<string>): void {
  const [oldest] = table.keys();
  if (table.size >= MAX_SOURCES && oldest !== undefined) table.delete(oldest);
}
