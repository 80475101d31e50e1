/**
 * Connects the pure user agent to the sockets and the clock, and performs its actions. Every error in a callback of a
 * socket or timer is caught here: it must not end all calls of the process.
 */
import { isIP, isIPv6 } from 'node:net';
import {
  addressFinder,
  BackgroundWork,
  HostResolver,
  isForbiddenAddress,
  recordFinder,
  SipServerResolver,
  type Clock,
  type Log,
  type FoundServers,
  type PrivateAddresses,
  type SipDomain,
  type Timer,
} from '@parley/runtime';
import {
  MAX_MESSAGE_BYTES,
  UserAgent,
  type AgentAction,
  type Destination,
  type RandomSource,
  type SessionTimerSetting,
} from '@parley/sip';
import { closeTransports, openTransports, type OpenTransports, type TlsOptions } from './open-transports.ts';
import { endpointTagSuffix } from './endpoint-tag.ts';
import type { OnFailed } from './transport.ts';
import { SourceBans, statusOf } from './source-bans.ts';
import { DEFAULT_RATE_LIMIT, SourceRateLimit, type RateLimit } from './source-rate-limit.ts';

/** Receives the bytes of every SIP message as they cross the socket, before they are parsed. Must not change them. */
export type DatagramTap = (direction: 'in' | 'out', bytes: Uint8Array, peer: Destination) => void;

/** The configuration of a driver. */
export interface DriverOptions {
  clock: Clock;
  log: Log;
  listen: { host: string; port: number };
  tls?: TlsOptions | undefined;
  /** The address at which others reach us. */
  publicHost: string;
  /** Product name for User-Agent. */
  userAgent: string;
  random: RandomSource;
  rateLimit?: RateLimit;
  /** Bans of scanners; tests pass their own. */
  bans?: SourceBans;
  /** Our own proxy. Its messages are exempt from the rate limit: it has applied the limit to their senders. */
  front?: { host: string; port: number };
  onDatagram?: DatagramTap;
  /** Name servers as `host:port`. Default: those of the system; only tests change them. */
  nameServers?: readonly string[];
  /** Only tests change it. */
  sessionTimer?: SessionTimerSetting;
  /** Receives every message that was admitted or sent, for the traces of calls. */
  onAdmitted?: DatagramTap;
  /** Receives the addresses of trunks with which there is a call: our own proxy must not ban them either. */
  onTrusted?: (address: string) => void;
  /** Receives the actions in order; `send` and `fault` are handled here. */
  onAction: (action: AgentAction) => void;
}

/** The host of a trunk leads to an address that its owner may not use. */
export class ForbiddenTrunkError extends Error {
  constructor() {
    super('The trunk has an address that is not allowed');
  }
}

/** Minimum interval between log lines about dropped messages, milliseconds. */
const DROP_REPORT_MS = 60_000;

/** One agent on one address over UDP, TCP and TLS. */
export class AgentDriver {
  readonly #options: DriverOptions;
  readonly #resolver: HostResolver;
  readonly #servers: SipServerResolver;
  readonly #rateLimit: SourceRateLimit;
  readonly #bans: SourceBans;
  readonly #background: BackgroundWork;
  #agent: UserAgent | null = null;
  #transports: OpenTransports | null = null;
  #port = 0;
  #tlsPort = 0;
  #wake: { timer: Timer; atMs: number } | null = null;
  #lastDropReportMs = -Infinity;
  #isSettling = false;
  #bannedMessages = 0;

  constructor(options: DriverOptions) {
    this.#options = options;
    const { clock, nameServers } = options;
    this.#resolver = new HostResolver(clock, isIPv6(options.listen.host) ? 6 : 4, addressFinder(nameServers));
    this.#servers = new SipServerResolver(clock, this.#resolver, { records: recordFinder(nameServers) });
    this.#rateLimit = new SourceRateLimit(options.rateLimit ?? DEFAULT_RATE_LIMIT);
    this.#bans = options.bans ?? new SourceBans();
    this.#background = new BackgroundWork(options.log);
  }

  /** The listening address. The ports are known once started. */
  get address(): { host: string; port: number; tlsPort: number } {
    return { host: this.#options.listen.host, port: this.#port, tlsPort: this.#tlsPort };
  }

  /** @throws Error before {@link open} and after {@link close} */
  get agent(): UserAgent {
    if (!this.#agent) throw new Error('The SIP endpoint is not started');
    return this.#agent;
  }

  /** @throws Error when the address cannot be bound */
  async open(): Promise<void> {
    const { clock, log, listen, tls, publicHost: host, userAgent, random, sessionTimer } = this.#options;
    this.#transports = await openTransports({
      clock,
      log,
      listen,
      tls,
      onMessage: (bytes, source) => this.#receive(bytes, source),
    });
    const { port, tlsPort } = this.#transports;
    this.#port = port;
    this.#tlsPort = tlsPort;
    const address = { host, port, tlsPort };
    const { front } = this.#options;
    const tagSuffix = front ? endpointTagSuffix(port) : '';
    const timer = sessionTimer ? { sessionTimer } : {};
    this.#agent = new UserAgent({ address, userAgent, random, front, tagSuffix, ...timer });
  }

  /** Stops listening; pending transactions are dropped. */
  async close(): Promise<void> {
    this.#wake?.timer.cancel();
    this.#wake = null;
    const transports = this.#transports;
    this.#transports = null;
    this.#agent = null;
    await closeTransports(transports);
  }

  /** Passes an input to the agent and performs the actions that follow. Never throws. */
  run(input: (agent: UserAgent, nowMs: number) => void): void {
    this.#guarded(() => {
      if (!this.#agent) return;
      input(this.#agent, this.#options.clock.monotonic());
      this.settle();
    });
  }

  /** Performs the actions of the agent and sets the timer for its next wake-up. */
  settle(): void {
    const agent = this.#agent;
    // Commands that the application issues from within an event are performed after it, so that events keep their order.
    if (!agent || this.#isSettling) return;
    this.#isSettling = true;
    for (let actions = agent.takeActions(); actions.length > 0; actions = agent.takeActions()) {
      for (const action of actions) this.#guarded(() => this.#perform(action));
    }
    this.#isSettling = false;
    this.#setWake(agent.nextWakeAtMs);
  }

  /**
   * The address of a trunk, which is checked here, at the point of use: the check of a name would be undone by a DNS answer
   * that changes.
   *
   * @throws Error when the host has no address, or one that is not allowed
   */
  async resolve(host: string, allowed: PrivateAddresses): Promise<string> {
    const address = await this.#resolver.resolve(host);
    if (isForbiddenAddress(address, allowed)) throw new ForbiddenTrunkError();
    this.trust(address);
    return address;
  }

  /**
   * The servers of a trunk, of which only the permitted ones are left; checked at the point of use, like {@link resolve}.
   *
   * @throws Error when there is none; {@link ForbiddenTrunkError} when none is allowed
   */
  async locate(domain: SipDomain, allowed: PrivateAddresses): Promise<FoundServers> {
    const { source, servers } = await this.#servers.locate(domain);
    const [first, ...others] = servers.filter(({ address }) => !isForbiddenAddress(address, allowed));
    if (!first) throw new ForbiddenTrunkError();
    for (const { address } of [first, ...others]) this.trust(address);
    return { source, servers: [first, ...others] };
  }

  /** How many messages of banned sources were dropped. */
  get bannedMessages(): number {
    return this.#bannedMessages;
  }

  /** A call with this host was dialed or accepted: it belongs to a trunk. */
  trust(address: string): void {
    this.#bans.trust(address);
    this.#options.onTrusted?.(address);
  }

  #receive(bytes: Uint8Array, source: Destination): void {
    const nowMs = this.#options.clock.monotonic();
    this.#guarded(() => this.#options.onDatagram?.('in', bytes, source));
    if (this.#bans.isBanned(source.host, nowMs)) {
      this.#bannedMessages += 1;
      return;
    }
    const isAdmitted = isFrom(this.#options.front, source) || this.#rateLimit.admits(source.host, nowMs);
    if (bytes.length > MAX_MESSAGE_BYTES || !isAdmitted) return this.#reportDrops(nowMs);
    this.#guarded(() => this.#options.onAdmitted?.('in', bytes, source));
    this.run((agent) => agent.receive(bytes, source, nowMs));
  }

  #reportDrops(nowMs: number): void {
    if (nowMs - this.#lastDropReportMs < DROP_REPORT_MS) return;
    this.#lastDropReportMs = nowMs;
    this.#options.log.warn(
      { dropped: this.#rateLimit.dropped, banned: this.#bannedMessages },
      'SIP messages over the rate limit were dropped',
    );
  }

  #perform(action: AgentAction): void {
    if (action.type === 'send') this.#send(action);
    else if (action.type === 'fault') {
      this.#options.log.error({ err: action.error }, 'Handling a SIP message failed; it was dropped');
    } else this.#options.onAction(action);
  }

  #send({ bytes, destination: given, reference }: Extract<AgentAction, { type: 'send' }>): void {
    const destination = withTlsPeer(given);
    const fail: OnFailed = (fault) =>
      this.run((agent, nowMs) => agent.transportFailed(reference, nowMs, fault));
    const address = this.#resolver.known(destination.host);
    if (address !== null) return this.#sendTo(bytes, { ...destination, host: address }, fail);
    this.#background.start('send a SIP message to a host name', () =>
      this.#sendToName(bytes, destination, fail),
    );
  }

  async #sendToName(bytes: Uint8Array, destination: Destination, fail: OnFailed): Promise<void> {
    try {
      const host = await this.#resolver.resolve(destination.host);
      this.#sendTo(bytes, { ...destination, host }, fail);
    } catch {
      // The transaction reports the failure. The host name is not logged: it is personal data of the dialog.
      fail('unsent');
    }
  }

  #sendTo(bytes: Uint8Array, named: Destination, fail: OnFailed): void {
    const destination = throughNat(named);
    const isOtherFamily = isIPv6(destination.host) !== isIPv6(this.#options.listen.host);
    if (!this.#transports || isOtherFamily) {
      this.#options.clock.after(0, () => fail('unsent'));
      return;
    }
    this.#countBadRequest(bytes, destination);
    this.#guarded(() => this.#options.onDatagram?.('out', bytes, destination));
    this.#guarded(() => this.#options.onAdmitted?.('out', bytes, destination));
    this.#transports[destination.transport].send(bytes, destination, fail);
  }

  /** A call of this source was refused, and it is no trunk. */
  countStranger(host: string): void {
    this.#logBan(this.#bans.offended(host, this.#options.clock.monotonic()), host);
  }

  /** A response that says that its request was bad counts against the source, but not against our own proxy. */
  #countBadRequest(bytes: Uint8Array, destination: Destination): void {
    const status = statusOf(bytes);
    if (status === null || isFrom(this.#options.front, destination)) return;
    const { host } = destination;
    this.#logBan(this.#bans.answered(host, status, this.#options.clock.monotonic()), host);
  }

  #logBan(isBanned: boolean, source: string): void {
    if (isBanned) this.#options.log.warn({ pii: { source } }, 'A source of bad SIP requests was banned');
  }

  #setWake(atMs: number | null): void {
    if (atMs === null || (this.#wake && this.#wake.atMs <= atMs)) return;
    this.#wake?.timer.cancel();
    const delayMs = Math.max(0, Math.ceil(atMs - this.#options.clock.monotonic()));
    this.#wake = { atMs, timer: this.#options.clock.after(delayMs, () => this.#woken()) };
  }

  #woken(): void {
    this.#wake = null;
    this.run((agent, nowMs) => agent.advance(nowMs));
  }

  #guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.log.error({ err: error }, 'A SIP callback failed');
    }
  }
}

/**
 * A peer with a public address that has named a private destination is behind NAT, or tries to reach our own network.
 * RFC 3261 section 12.2.1.1 sends requests to the named target; they go to the address and port from which the peer sends
 * instead, which the NAT maps to it. Our own proxy, which has a connection with the peer, is no such target.
 */
export function throughNat(destination: Destination): Destination {
  const { host, namedBy, namedByPort, over } = destination;
  if (over !== undefined) return destination;
  const isPeerPublic = namedBy !== undefined && isIP(namedBy) !== 0 && !isForbiddenAddress(namedBy, 'none');
  if (!isPeerPublic || !isForbiddenAddress(host, 'none')) return destination;
  return { ...destination, host: namedBy, port: namedByPort ?? destination.port };
}

/** The name that a certificate has to contain is the one from before its resolution. */
function withTlsPeer(destination: Destination): Destination {
  const { transport, host, tls } = destination;
  if (transport !== 'tls' || tls) return destination;
  return { ...destination, tls: { serverName: host, isVerified: true } };
}

/** Whether a message came from our own proxy. */
export function isFrom(front: { host: string; port: number } | undefined, source: Destination): boolean {
  return front !== undefined && source.host === front.host && source.port === front.port;
}
