/**
 * One public SIP address for several voice processes on this machine: a stateless proxy (RFC 3261 section 16.11) that
 * forwards each new call to one SIP line, and its CANCEL and ACK to the same one. In-dialog requests do not pass it: they
 * are sent to the Contact of the line. The owner chooses the line.
 */
import type { Clock, Log, Service, Timer } from '@parley/runtime';
import {
  MAX_MESSAGE_BYTES,
  SipParseError,
  answerableRequest,
  buildResponse,
  forwardRequest,
  parseMessage,
  requestOf,
  returnResponse,
  serialiseMessage,
  type Destination,
  type ForwardedRequest,
  type SipRequest,
  type SipResponse,
} from '@parley/sip';
import { closeTransports, openTransports, type OpenTransports } from './open-transports.ts';
import { SourceBans } from './source-bans.ts';
import { DEFAULT_RATE_LIMIT, SourceRateLimit, type RateLimit } from './source-rate-limit.ts';

/** A SIP line behind the front, reached over UDP. */
export interface FrontTarget {
  host: string;
  port: number;
}

/** The lines behind a front; the owner of the front chooses among them. */
interface FrontLines {
  /** Chooses the line for a new call; called once per call. Null when all lines are full. */
  choose(callId: string): FrontTarget | null;
  /** A line for a request that begins no call; null when there is no line. */
  any(): FrontTarget | null;
  /** The line refused the call. May be called repeatedly. */
  refused(callId: string): void;
  /** False when the line has died: a retransmitted INVITE is then forwarded to another one. */
  isAlive(target: FrontTarget): boolean;
}

/** The configuration of a front. */
export interface SipFrontOptions {
  clock: Clock;
  log: Log;
  listen: { host: string; port: number };
  lines: FrontLines;
  rateLimit?: RateLimit;
}

/** A front; it runs from `start` to `stop`. */
export interface SipFront extends Service {
  /** The address from which the lines receive their messages. The port is known once started. */
  address(): { host: string; port: number };
}

type Forwarding = Extract<ForwardedRequest, { kind: 'forward' }>;

/** 64*T1 (RFC 3261 section 17.1.1.2): the lifetime of an INVITE transaction after its final response, milliseconds. */
const FORGET_AFTER_MS = 32_000;
/** The longest supported ring time before a CANCEL, milliseconds. */
const RING_MS = 180_000;
const SERVICE_UNAVAILABLE = 503;
const LOOPBACKS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Creates a front; nothing is bound before `start`. */
export function createSipFront(options: SipFrontOptions): SipFront {
  return new SocketSipFront(options);
}

class SocketSipFront implements SipFront {
  readonly #options: SipFrontOptions;
  readonly #rateLimit: SourceRateLimit;
  readonly #bans = new SourceBans();
  /** The chosen lines by Call-ID, oldest first. */
  readonly #chosen = new Map<string, { target: FrontTarget; untilMs: number }>();
  #transports: OpenTransports | null = null;
  #sweep: Timer | null = null;
  #own = { host: '', port: 0 };

  constructor(options: SipFrontOptions) {
    this.#options = options;
    this.#rateLimit = new SourceRateLimit(options.rateLimit ?? DEFAULT_RATE_LIMIT);
  }

  async start(): Promise<void> {
    if (this.#transports) return;
    const { clock, log, listen } = this.#options;
    const onMessage = (bytes: Uint8Array, source: Destination): void => this.#receive(bytes, source);
    this.#transports = await openTransports({ clock, log, listen, onMessage });
    this.#own = { host: LOOPBACKS[listen.host] ?? listen.host, port: this.#transports.port };
    this.#scheduleSweep();
  }

  async stop(): Promise<void> {
    const transports = this.#transports;
    this.#transports = null;
    this.#sweep?.cancel();
    this.#chosen.clear();
    await closeTransports(transports);
  }

  address(): { host: string; port: number } {
    return this.#own;
  }

  /** A malformed request gets an error response if its Via can be read; other malformed messages are dropped. */
  #receive(bytes: Uint8Array, source: Destination): void {
    let request: SipRequest | null = null;
    try {
      if (bytes.length > MAX_MESSAGE_BYTES) return;
      if (this.#bans.isBanned(source.host, this.#options.clock.monotonic())) return;
      const message = parseMessage(bytes);
      if (message.kind === 'response') return this.#returnResponse(message);
      request = message;
      if (this.#rateLimit.admits(source.host, this.#options.clock.monotonic()))
        this.#forward(message, source);
    } catch (error) {
      if (error instanceof SipParseError) this.#refuseBroken(request, error, source);
      else
        this.#options.log.error({ err: error }, 'The SIP front failed to handle a message; it was dropped');
    }
  }

  /** A request that could be parsed has passed the rate limit already. */
  #refuseBroken(parsed: SipRequest | null, error: SipParseError, source: Destination): void {
    this.#countBadRequest(source.host, error.status);
    const request = parsed ?? requestOf(error);
    const answerable = request && answerableRequest(request, source);
    if (!answerable) return;
    if (!parsed && !this.#rateLimit.admits(source.host, this.#options.clock.monotonic())) return;
    this.#send(buildResponse(answerable.request, error.status, { toTag: 'front' }), answerable.destination);
  }

  #returnResponse(response: SipResponse): void {
    const returned = returnResponse(response, this.#own);
    if (!returned) return;
    this.#judge(returned.destination.host, response);
    this.#send(returned.response, returned.destination);
  }

  /** The responses of the lines show whether a source sends bad requests or belongs to a trunk. */
  #judge(source: string, { status, headers }: SipResponse): void {
    const isInvite = headers.some(({ name, value }) => name === 'CSeq' && value.endsWith(' INVITE'));
    const callId = headers.find(({ name }) => name === 'Call-ID')?.value;
    if (isInvite && status >= 300 && callId !== undefined) this.#options.lines.refused(callId);
    if (isInvite && (status === 180 || status === 200)) this.#bans.trust(source);
    else this.#countBadRequest(source, status);
  }

  #countBadRequest(source: string, status: number): void {
    if (this.#bans.answered(source, status, this.#options.clock.monotonic()))
      this.#options.log.warn({ pii: { source } }, 'A source of bad SIP requests was banned');
  }

  #forward(request: SipRequest, source: Destination): void {
    const step = forwardRequest(request, source, this.#own);
    if (step.kind === 'refuse') return this.#send(step.response, step.destination);
    const target = this.#targetOf(step);
    if (target) return this.#send(step.request, { transport: 'udp', connectionId: null, ...target });
    if (request.method !== 'ACK') this.#refuse(step.request);
  }

  /** All lines are full: returns the refusal as if the next hop had sent it. */
  #refuse(request: SipRequest): void {
    this.#returnResponse(buildResponse(request, SERVICE_UNAVAILABLE, { toTag: 'front' }));
  }

  /**
   * Only a request that begins a dialog takes a slot. RFC 3261 section 12.1: "only 2xx and 101-199 responses with a To tag,
   * where the request was INVITE, will establish a dialog."
   */
  #targetOf({ callId, request, isInDialog }: Forwarding): FrontTarget | null {
    const { lines } = this.#options;
    const known = this.#chosen.get(callId);
    if (known && lines.isAlive(known.target)) return known.target;
    const replaced = this.#chosen.get(replacedCall(request));
    if (replaced && lines.isAlive(replaced.target)) return this.#remember(callId, replaced.target);
    if (request.method !== 'INVITE' || isInDialog) return lines.any();
    const target = lines.choose(callId);
    return target && this.#remember(callId, target);
  }

  #remember(callId: string, target: FrontTarget): FrontTarget {
    const untilMs = this.#options.clock.monotonic() + RING_MS + FORGET_AFTER_MS;
    this.#chosen.delete(callId);
    this.#chosen.set(callId, { target, untilMs });
    return target;
  }

  #send(message: SipRequest | SipResponse, destination: Destination): void {
    // A stateless proxy reports no failure: the sender retransmits or times out.
    this.#transports?.[destination.transport].send(serialiseMessage(message), destination, () => undefined);
  }

  #scheduleSweep(): void {
    this.#sweep = this.#options.clock.after(FORGET_AFTER_MS, () => {
      const nowMs = this.#options.clock.monotonic();
      for (const [callId, { untilMs }] of this.#chosen) {
        if (untilMs > nowMs) break;
        this.#chosen.delete(callId);
      }
      this.#scheduleSweep();
    });
  }
}

/** The Call-ID that a Replaces names (RFC 3891): the line of that call has to receive the INVITE; empty without one. */
function replacedCall({ method, headers }: SipRequest): string {
  if (method !== 'INVITE') return '';
  const value = headers.find(({ name }) => name.toLowerCase() === 'replaces')?.value ?? '';
  return value.split(';', 1)[0]?.trim() ?? '';
}
