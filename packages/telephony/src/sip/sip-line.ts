/**
 * The telephone line of a process: one SIP address over UDP and TCP, and a leg for every call on it.
 */
import { randomBytes } from 'node:crypto';
import { BackgroundWork, pause, type Clock, type Log, type Service } from '@parley/runtime';
import {
  sourceBehind,
  userOf,
  type AgentAction,
  type CallNumber,
  type Credentials,
  type IncomingCall,
} from '@parley/sip';
import type { LocalMedia, RandomSource, UserAgent } from '@parley/sip';
import type { CallLeg, StoredDialog } from '../call-leg.ts';
import type { MediaFactory, RtpMedia } from '../media-factory.ts';
import { AgentDriver, isFrom, type DatagramTap } from './agent-driver.ts';
import { toInvite, type DialRequest } from './dial-request.ts';
import { SipLeg, type LegControl } from './sip-leg.ts';
import type { RateLimit } from './source-rate-limit.ts';

/** How a line is set up. */
export interface SipLineOptions {
  clock: Clock;
  log: Log;
  /** UDP and TCP; port 0 lets the system choose. */
  listen: { host: string; port: number };
  /** What we write into Via and Contact. Default: the listening host, which then must not be a wildcard. */
  publicAddress?: string;
  /** Where RTP is bound. Default: the listening host. */
  mediaHost?: string;
  /** What we write into SDP. Default: `publicAddress`. */
  publicMediaAddress?: string;
  /** Product name on the wire, for example `Parley/0.1`. */
  userAgent: string;
  media: MediaFactory;
  /** Default: the system's generator. */
  random?: RandomSource;
  /** An inbound leg that nobody answered ends after this time, milliseconds. Default 60 000. */
  inboundRingLimitMs?: number;
  /** A leg ends when no packet came for this time, milliseconds. Default 20 000. */
  silenceLimitMs?: number;
  rateLimit?: RateLimit;
  /** A proxy of our own in front of this line: who is behind it is read from the Via that it has completed. */
  front?: { host: string; port: number };
  /** Sees the raw messages, for a wire log that must not depend on our parser. */
  onDatagram?: DatagramTap;
}

/** What is known of a call that came in besides the leg itself. */
export interface IncomingInfo {
  /** The address the INVITE really came from. */
  sourceAddress: string;
}

/** Decides about a call that came in: `ring`, `answer` or `reject` on the leg. */
export type IncomingHandler = (leg: CallLeg, info: IncomingInfo) => void;

/** The line. `stop` hangs up what is left and waits a few seconds for the far ends to confirm. */
export interface SipLine extends Service {
  /**
   * Starts a call; what goes wrong with it is told by the leg's `ended`.
   *
   * @throws Error before `start` and after `stop`
   */
  dial(request: DialRequest): CallLeg;
  /** One handler; a call that comes while there is none is refused with 480. */
  onIncoming(handler: IncomingHandler): void;
  /** Sends the BYE of a call another process answered. Resolves with the response's status, null if none came. */
  endStoredDialog(dialog: StoredDialog, credentials?: Credentials): Promise<number | null>;
  /** Refuses new calls with 503 from now on; resolves when the last leg has ended. */
  drain(): Promise<void>;
  /** Where we listen; the port is known once started. */
  address(): { host: string; port: number };
  /** How many legs live, those not yet answered included. */
  activeLegs(): number;
}

const DEFAULT_INBOUND_RING_LIMIT_MS = 60_000;
const DEFAULT_SILENCE_LIMIT_MS = 20_000;
/** How long `stop` waits for the last BYE to be confirmed, and how often it looks, milliseconds. */
const STOP_LIMIT_MS = 4000;
const STOP_LOOK_MS = 20;
const NOBODY_HOME = 480;
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/**
 * Makes a line; nothing is bound before `start`.
 *
 * @throws Error when no address is known at which others could reach us
 */
export function createSipLine(options: SipLineOptions): SipLine {
  return new SocketSipLine(options);
}

class SocketSipLine implements SipLine {
  readonly #options: SipLineOptions;
  readonly #publicHost: string;
  readonly #driver: AgentDriver;
  readonly #control: LegControl;
  readonly #legs = new Set<SipLeg>();
  readonly #byCall = new Map<CallNumber, SipLeg>();
  readonly #background: BackgroundWork;
  readonly #storedDialogs = new Map<number, (status: number | null) => void>();
  #onIncoming: IncomingHandler | null = null;
  #onEmpty: (() => void)[] = [];
  #isRunning = false;

  constructor(options: SipLineOptions) {
    this.#options = options;
    this.#publicHost = options.publicAddress ?? options.listen.host;
    if (WILDCARDS.includes(this.#publicHost))
      throw new Error('A SIP line needs an address others can reach it at');
    this.#driver = new AgentDriver({
      clock: options.clock,
      log: options.log,
      listen: options.listen,
      publicHost: this.#publicHost,
      userAgent: options.userAgent,
      random: options.random ?? ((byteCount) => randomBytes(byteCount)),
      ...(options.rateLimit ? { rateLimit: options.rateLimit } : {}),
      ...(options.front ? { front: options.front } : {}),
      ...(options.onDatagram ? { onDatagram: options.onDatagram } : {}),
      onAction: (action) => this.#take(action),
    });
    this.#background = new BackgroundWork(options.log);
    this.#control = this.#legControl();
  }

  async start(): Promise<void> {
    if (this.#isRunning) return;
    await this.#driver.open();
    this.#isRunning = true;
  }

  async stop(): Promise<void> {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#driver.run((agent) => agent.setDraining(true));
    for (const leg of this.#legs) this.#background.start('hang up at stop', () => leg.hangUp());
    await this.#waitForFarEnds();
    for (const leg of this.#legs) leg.end({ cause: 'local-hang-up', detail: 'The line was stopped' });
    await this.#driver.close();
    for (const settle of this.#storedDialogs.values()) settle(null);
    this.#storedDialogs.clear();
  }

  dial(request: DialRequest): CallLeg {
    if (!this.#isRunning) throw new Error('The SIP line is not started');
    const { sipCallId: id, from, to, ringTimeoutMs } = request;
    const leg = this.#openLeg({ id, direction: 'outbound', from, to }, ringTimeoutMs);
    this.#background.start('send the INVITE of a call', () => this.#tryToInvite(leg, request));
    return leg;
  }

  onIncoming(handler: IncomingHandler): void {
    this.#onIncoming = handler;
  }

  async endStoredDialog(dialog: StoredDialog, credentials?: Credentials): Promise<number | null> {
    const { promise, resolve } = Promise.withResolvers<number | null>();
    const id = this.#driver.agent.sendBye(dialog, this.#options.clock.monotonic(), credentials ?? null);
    this.#storedDialogs.set(id, resolve);
    this.#driver.settle();
    return promise;
  }

  async drain(): Promise<void> {
    this.#driver.run((agent) => agent.setDraining(true));
    if (this.#legs.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty.push(resolve);
    await promise;
  }

  address(): { host: string; port: number } {
    return this.#driver.address;
  }

  activeLegs(): number {
    return this.#legs.size;
  }

  async #tryToInvite(leg: SipLeg, request: DialRequest): Promise<void> {
    try {
      await this.#invite(leg, request);
    } catch (error) {
      this.#options.log.warn({ err: error, sipCallId: leg.id }, 'A call could not be started');
      leg.endBy({ by: 'transport' });
    }
  }

  async #invite(leg: SipLeg, request: DialRequest): Promise<void> {
    const { rtp, local } = await this.#openMedia();
    leg.attach(rtp);
    const trunkAddress = await this.#driver.resolve(request.trunk.host);
    if (leg.hasEnded) return;
    const call = this.#driver.agent.invite(
      toInvite(request, { publicHost: this.#publicHost, trunkAddress, local }),
      this.#options.clock.monotonic(),
    );
    this.#byCall.set(call, leg);
    leg.begin(call);
    this.#driver.settle();
  }

  #take(action: AgentAction): void {
    if (action.type === 'incoming') this.#takeIncoming(action.call, action.incoming);
    else if (action.type === 'call') this.#byCall.get(action.call)?.take(action.event);
    else if (action.type === 'dialog-ended') {
      this.#storedDialogs.get(action.id)?.(action.status);
      this.#storedDialogs.delete(action.id);
    }
  }

  #takeIncoming(call: CallNumber, incoming: IncomingCall): void {
    const { inboundRingLimitMs = DEFAULT_INBOUND_RING_LIMIT_MS } = this.#options;
    const leg = this.#openLeg(
      {
        id: incoming.callId,
        direction: 'inbound',
        from: userOf(incoming.fromUri),
        to: userOf(incoming.requestUri) || userOf(incoming.toUri),
      },
      inboundRingLimitMs,
    );
    this.#byCall.set(call, leg);
    leg.begin(call);
    if (this.#onIncoming) this.#onIncoming(leg, { sourceAddress: this.#sourceOf(incoming) });
    else leg.reject(NOBODY_HOME);
  }

  #sourceOf({ source, headers }: IncomingCall): string {
    const behind = isFrom(this.#options.front, source) ? sourceBehind(headers) : null;
    return behind ?? source.host;
  }

  #openLeg(who: Pick<CallLeg, 'id' | 'direction' | 'from' | 'to'>, ringLimitMs: number): SipLeg {
    const { clock, log, silenceLimitMs = DEFAULT_SILENCE_LIMIT_MS } = this.#options;
    const leg = new SipLeg({ ...who, clock, log, ringLimitMs, silenceLimitMs }, this.#control);
    this.#legs.add(leg);
    return leg;
  }

  #legControl(): LegControl {
    const run = (wish: (agent: UserAgent, nowMs: number) => void): void => this.#driver.run(wish);
    return {
      openMedia: () => this.#openMedia(),
      ring: (call) => run((agent, nowMs) => agent.ring(call, nowMs)),
      answer: (call, local) => run((agent, nowMs) => agent.answer(call, local, nowMs)),
      reject: (call, sipStatus) => run((agent, nowMs) => agent.reject(call, sipStatus, nowMs)),
      hangUp: (call) => run((agent, nowMs) => agent.hangUp(call, nowMs)),
      refer: (call, request) => run((agent, nowMs) => agent.refer(call, request, nowMs)),
      forget: (leg, call) => this.#forget(leg, call),
    };
  }

  async #openMedia(): Promise<{ rtp: RtpMedia; local: LocalMedia }> {
    const { media, listen, mediaHost = listen.host, publicMediaAddress = this.#publicHost } = this.#options;
    const rtp = await media.openMedia({ localHost: mediaHost });
    return { rtp, local: { host: publicMediaAddress, port: rtp.localPort } };
  }

  #forget(leg: SipLeg, call: CallNumber | null): void {
    this.#legs.delete(leg);
    if (call !== null) this.#byCall.delete(call);
    if (this.#legs.size > 0) return;
    for (const resolve of this.#onEmpty.splice(0)) resolve();
  }

  /** Until nobody owes us a response, so that the last BYE is repeated if it is lost; at most a few seconds. */
  async #waitForFarEnds(): Promise<void> {
    const { clock } = this.#options;
    const untilMs = clock.monotonic() + STOP_LIMIT_MS;
    const isBusy = (): boolean => this.#legs.size > 0 || this.#driver.agent.load().awaited > 0;
    while (isBusy() && clock.monotonic() < untilMs) await pause(clock, STOP_LOOK_MS);
  }
}
