/**
 * One public SIP address for several voice processes on this machine: a stateless proxy (RFC 3261 section 16.11) that
 * forwards each new call to one SIP endpoint, and its CANCEL and ACK to the same one. In-dialog requests are sent to the Contact
 * of the endpoint; those that a far end sends to the front instead reach the endpoint by its tag, or, when another endpoint goes on with
 * the call, by what the owner says. The owner chooses the endpoint. A far end over TCP or TLS receives the requests of its endpoint
 * over the connection of its INVITE; one over TLS sends all requests to the front, which has the certificate.
 * Requests get the same answers as from a single endpoint.
 */
import { createHash } from 'node:crypto';
import type { Clock, Log, Service, Timer } from '@parley/runtime';
import {
  MAX_MESSAGE_BYTES,
  SipParseError,
  answerableRequest,
  buildResponse,
  forwardRequest,
  parseMessage,
  parseNameAddr,
  replacesOf,
  requestToPeer,
  requestOf,
  returnResponse,
  serialiseMessage,
  tagOf,
  type Destination,
  type ForwardedRequest,
  type SipRequest,
  type SipResponse,
} from '@parley/sip';
import { endpointPortOf } from './endpoint-tag.ts';
import { closeTransports, openTransports, type OpenTransports, type TlsOptions } from './open-transports.ts';
import { SourceBans } from './source-bans.ts';
import { DEFAULT_RATE_LIMIT, SourceRateLimit, type RateLimit } from './source-rate-limit.ts';

/** A SIP endpoint behind the front, reached over UDP. */
export interface FrontTarget {
  host: string;
  port: number;
}

/** The endpoints behind a front; the owner of the front chooses among them. */
interface FrontEndpoints {
  /**
   * Chooses the endpoint for a new call; called once per call. Null when all endpoints are full.
   *
   * @param call - its Call-ID and the tag of the caller, which two calls with one Call-ID differ in
   */
  choose(call: string): FrontTarget | null;
  /** An endpoint for a request that begins no call; null when there is no endpoint. */
  any(): FrontTarget | null;
  /** The endpoint refused the call. May be called repeatedly. */
  refused(call: string): void;
  /** False when the endpoint has died: a retransmitted INVITE is then forwarded to another one. */
  isAlive(target: FrontTarget): boolean;
  /** The endpoint that listens on this port; null without one. */
  at(port: number): FrontTarget | null;
}

/** The configuration of a front. */
export interface SipFrontOptions {
  clock: Clock;
  log: Log;
  listen: { host: string; port: number };
  /** SIP over TLS on the same host; without a certificate no connections are accepted. */
  tls?: TlsOptions;
  /** The address at which others reach the front. Default: the listening host. */
  publicHost?: string;
  endpoints: FrontEndpoints;
  rateLimit?: RateLimit;
  /** Bans of scanners; tests pass their own. */
  bans?: SourceBans;
  /** Calls and moved dialogs whose endpoint is remembered. Default: 50 000 of each. */
  mostChosen?: number;
}

/** A front; it runs from `start` to `stop`. */
export interface SipFront extends Service {
  /** The address from which the endpoints receive their messages. The port is known once started. */
  address(): { host: string; port: number };
  /** The port for TLS, known once started. */
  tlsPort(): number;
  /** Counts a call that an endpoint refused to a source that is no trunk: the tenth bans the source. */
  countStranger(sourceAddress: string): void;
  /** An endpoint has a call with this host, which belongs to a trunk and is never banned. */
  trust(address: string): void;
  /** The endpoint that listens on `port` goes on with the dialog in which our side has this tag; another endpoint has created it. */
  moveDialog(localTag: string, port: number): void;
}

/** 64*T1 (RFC 3261 section 17.1.1.2): the lifetime of an INVITE transaction after its final response, milliseconds. */
const FORGET_AFTER_MS = 32_000;
/** The longest supported ring time before a CANCEL, milliseconds. */
const RING_MS = 180_000;
/** Calls whose endpoint is remembered; the oldest are forgotten, so that forged sources cannot exhaust the memory. */
const MOST_CHOSEN = 50_000;
const LONGEST_KEY = 128;
const SERVICE_UNAVAILABLE = 503;
const TOO_LARGE = 413;
/** RFC 5626 section 11.5: the connection with the far end is closed. */
const FLOW_FAILED = 430;
/** The largest UDP payload over IPv4: 65 535 bytes without the headers of IP and UDP. */
const MAX_FORWARDED_BYTES = 65_507;
const LOOPBACKS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Creates a front; nothing is bound before `start`. */
export function createSipFront(options: SipFrontOptions): SipFront {
  return new SocketSipFront(options);
}

class SocketSipFront implements SipFront {
  readonly #options: SipFrontOptions;
  readonly #rateLimit: SourceRateLimit;
  readonly #bans: SourceBans;
  /** The chosen endpoints by call ({@link keyOf}), oldest first. */
  readonly #chosen = new Map<string, { target: FrontTarget; untilMs: number }>();
  /** The ports of the endpoints that go on with calls of lost ones, by our tag, oldest first. */
  readonly #moved = new Map<string, number>();
  #transports: OpenTransports | null = null;
  #sweep: Timer | null = null;
  #own = { host: '', port: 0 };
  /** In our Via over these transports. */
  #shown = { tcp: { host: '', port: 0 }, tls: { host: '', port: 0 } };

  constructor(options: SipFrontOptions) {
    this.#options = options;
    this.#bans = options.bans ?? new SourceBans();
    this.#rateLimit = new SourceRateLimit(options.rateLimit ?? DEFAULT_RATE_LIMIT);
  }

  async start(): Promise<void> {
    if (this.#transports) return;
    const { clock, log, listen, tls, publicHost = listen.host } = this.#options;
    const onMessage = (bytes: Uint8Array, source: Destination): void => this.#receive(bytes, source);
    this.#transports = await openTransports({ clock, log, listen, tls, onMessage });
    this.#own = { host: LOOPBACKS[listen.host] ?? listen.host, port: this.#transports.port };
    const { port, tlsPort } = this.#transports;
    this.#shown = { tcp: { host: publicHost, port }, tls: { host: publicHost, port: tlsPort } };
    this.#scheduleSweep();
  }

  async stop(): Promise<void> {
    const transports = this.#transports;
    this.#transports = null;
    this.#sweep?.cancel();
    this.#chosen.clear();
    this.#moved.clear();
    await closeTransports(transports);
  }

  address(): { host: string; port: number } {
    return this.#own;
  }

  tlsPort(): number {
    return this.#shown.tls.port;
  }

  /**
   * A malformed request gets an error response if its Via can be read; other malformed messages are dropped. Only the endpoints
   * send responses: a response of another host would make the front send messages to third parties, and judge them.
   */
  #receive(bytes: Uint8Array, source: Destination): void {
    const nowMs = this.#options.clock.monotonic();
    const isLine = this.#isLine(source);
    const { host } = source;
    if (bytes.length > MAX_MESSAGE_BYTES) return;
    if (!isLine && (this.#bans.isBanned(host, nowMs) || !this.#rateLimit.admits(host, nowMs))) return;
    let request: SipRequest | null = null;
    try {
      const message = parseMessage(bytes, source.transport);
      if (message.kind === 'request') this.#takeRequest((request = message), source, isLine);
      else if (isLine) this.#returnResponse(message);
      else this.#returnToEndpoint(message);
    } catch (error) {
      if (error instanceof SipParseError) this.#refuseBroken(request ?? requestOf(error), error, source);
      else
        this.#options.log.error({ err: error }, 'The SIP front failed to handle a message; it was dropped');
    }
  }

  #isLine({ transport, host, port }: Destination): boolean {
    return transport === 'udp' && this.#options.endpoints.at(port)?.host === host;
  }

  #refuseBroken(
    request: SipRequest | null,
    { status, message: fault }: SipParseError,
    source: Destination,
  ): void {
    this.#countBadRequest(source.host, status);
    const answerable = request && answerableRequest(request, source);
    if (!answerable) return;
    const response = buildResponse(answerable.request, status, { toTag: tagFor(answerable.request), fault });
    this.#send(response, answerable.destination);
  }

  #returnResponse(response: SipResponse): void {
    const returned = returnResponse(response, this.#own);
    if (!returned) return;
    this.#judge(returned.destination.host, response);
    this.#send(returned.response, returned.destination);
  }

  /** The responses of the endpoints show whether a source sends bad requests or belongs to a trunk. */
  #judge(source: string, response: SipResponse): void {
    const { status, headers } = response;
    const isInvite = headers.some(({ name, value }) => name === 'CSeq' && value.endsWith(' INVITE'));
    const call = isInvite && status >= 300 ? callOf(response) : null;
    if (call !== null) this.#options.endpoints.refused(call);
    if (isInvite && (status === 180 || status === 200)) this.#bans.trust(source);
    else this.#countBadRequest(source, status);
  }

  countStranger(sourceAddress: string): void {
    this.#logBan(this.#bans.offended(sourceAddress, this.#options.clock.monotonic()), sourceAddress);
  }

  trust(address: string): void {
    this.#bans.trust(address);
  }

  moveDialog(localTag: string, port: number): void {
    const tag = localTag.toLowerCase();
    this.#moved.delete(tag);
    this.#dropOldest(this.#moved);
    this.#moved.set(tag, port);
  }

  #dropOldest(table: Map<string, unknown>): void {
    const [oldest] = table.keys();
    if (table.size >= (this.#options.mostChosen ?? MOST_CHOSEN) && oldest !== undefined) table.delete(oldest);
  }

  #countBadRequest(source: string, status: number): void {
    this.#logBan(this.#bans.answered(source, status, this.#options.clock.monotonic()), source);
  }

  #logBan(isBanned: boolean, source: string): void {
    if (isBanned) this.#options.log.warn({ pii: { source } }, 'A source of bad SIP requests was banned');
  }

  #takeRequest(request: SipRequest, source: Destination, isLine: boolean): void {
    const toPeer = isLine && requestToPeer(request, source, { own: this.#own, shown: this.#shown });
    if (!toPeer) return this.#forward(request, source);
    const bytes = serialiseMessage(toPeer.request);
    const { over, connectionId } = toPeer;
    if (this.#transports?.[over].sendOver(connectionId, bytes) || request.method === 'ACK') return;
    const failed = buildResponse(toPeer.request, FLOW_FAILED, { toTag: tagFor(request) });
    this.#returnToEndpoint(failed);
  }

  /** The response of a far end to a request that an endpoint has sent through us. Only endpoints receive such responses. */
  #returnToEndpoint(response: SipResponse): void {
    const { tcp, tls } = this.#shown;
    const returned = returnResponse(response, tcp) ?? returnResponse(response, tls);
    if (returned && this.#isLine(returned.destination)) this.#send(returned.response, returned.destination);
  }

  #forward(request: SipRequest, source: Destination): void {
    const forwarded = forwardRequest(request, source, this.#own);
    const isTooLarge = serialiseMessage(forwarded.request).length > MAX_FORWARDED_BYTES;
    const target = isTooLarge ? null : this.#targetOf(forwarded);
    if (target) this.#send(forwarded.request, { transport: 'udp', connectionId: null, ...target });
    else if (request.method !== 'ACK')
      this.#refuse(forwarded.request, isTooLarge ? TOO_LARGE : SERVICE_UNAVAILABLE);
  }

  /** Returns a refusal as if the next hop had sent it. */
  #refuse(request: SipRequest, status: number): void {
    this.#returnResponse(buildResponse(request, status, { toTag: tagFor(request) }));
  }

  /**
   * Only a request that begins a dialog takes a slot. RFC 3261 section 12.1: "only 2xx and 101-199 responses with a To tag,
   * where the request was INVITE, will establish a dialog."
   */
  #targetOf({ callId, request, fromTag, toTag }: ForwardedRequest): FrontTarget | null {
    const { endpoints } = this.#options;
    const holder = this.#endpointOf(toTag);
    if (holder) return holder;
    const call = keyOf(callId, fromTag);
    const known = this.#chosen.get(call);
    if (known && endpoints.isAlive(known.target)) return known.target;
    if (request.method !== 'INVITE' || toTag !== null) return endpoints.any();
    const target = this.#endpointOf(replacedTag(request)) ?? endpoints.choose(call);
    return target && this.#remember(call, target);
  }

  /** The endpoint that has the dialog of a tag: the one that goes on with it, or else the one that created the tag. */
  #endpointOf(tag: string | null): FrontTarget | null {
    const port = tag === null ? null : (this.#moved.get(tag.toLowerCase()) ?? endpointPortOf(tag));
    return port === null ? null : this.#options.endpoints.at(port);
  }

  #remember(call: string, target: FrontTarget): FrontTarget {
    const untilMs = this.#options.clock.monotonic() + RING_MS + FORGET_AFTER_MS;
    this.#chosen.delete(call);
    this.#dropOldest(this.#chosen);
    this.#chosen.set(call, { target, untilMs });
    return target;
  }

  #send(message: SipRequest | SipResponse, destination: Destination): void {
    // A stateless proxy reports no failure: the sender retransmits or times out.
    this.#transports?.[destination.transport].send(serialiseMessage(message), destination, () => undefined);
  }

  #scheduleSweep(): void {
    this.#sweep = this.#options.clock.after(FORGET_AFTER_MS, () => {
      const nowMs = this.#options.clock.monotonic();
      for (const [call, { untilMs }] of this.#chosen) {
        if (untilMs > nowMs) break;
        this.#chosen.delete(call);
      }
      this.#scheduleSweep();
    });
  }
}

/** The call of a response ({@link keyOf}); null when its From is malformed, so that it belongs to no call of ours. */
function callOf({ headers }: SipResponse): string | null {
  const valueOf = (field: string): string => headers.find(({ name }) => name === field)?.value ?? '';
  try {
    return keyOf(valueOf('Call-ID'), tagOf(parseNameAddr(valueOf('From'))));
  } catch {
    return null;
  }
}

/**
 * Names a call by the Call-ID and the From tag of its INVITE, which all requests of its caller have. Both have about 40
 * characters; long ones would take the memory of the table.
 */
function keyOf(callId: string, fromTag: string | null): string {
  const call = `${callId} ${fromTag ?? ''}`;
  return call.length <= LONGEST_KEY ? call : createHash('sha256').update(call).digest('hex');
}

/** Our tag in a Replaces (RFC 3891): its endpoint has to receive the INVITE. The endpoint judges a malformed one. */
function replacedTag(request: SipRequest): string | null {
  try {
    return replacesOf(request)?.localTag ?? null;
  } catch (error) {
    if (error instanceof SipParseError) return null;
    throw error;
  }
}

/**
 * RFC 3261 section 8.2.7: "for a given request, the tag will be generated consistently", because a retransmission is not
 * recognised. The fields that identify the request make it.
 */
function tagFor({ headers }: SipRequest): string {
  const identity = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) =>
    headers.filter((field) => field.name === name).map(({ value }) => value),
  );
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
}
