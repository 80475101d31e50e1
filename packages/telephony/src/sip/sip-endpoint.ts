/**
 * The SIP endpoint of a process: one address over UDP, TCP and TLS, and a leg for every call on it.
 */
import { randomBytes } from 'node:crypto';
import { BackgroundWork, pause } from '@parley/runtime';
import {
  hopBehind,
  type AgentAction,
  type CallEvent,
  type CallNumber,
  type Credentials,
  type IncomingCall,
  type StrayAnswer,
} from '@parley/sip';
import type { Destination, UserAgent } from '@parley/sip';
import type {
  CallLeg,
  DtmfSetting,
  LegReferral,
  NumberWriter,
  ReferralOutcome,
  StoredDialog,
} from '../call-leg.ts';
import { AgentDriver, isFrom } from './agent-driver.ts';
import { resumeLeg, type ResumedLegRequest } from './resume-leg.ts';
import { toInvite, type DialRequest, type TrunkAddress, type TrunkTargets } from './dial-request.ts';
import { findTargets } from './find-targets.ts';
import { followRedirect } from './follow-redirect.ts';
import { EndpointObserver } from './endpoint-diagnostics.ts';
import { EndpointRegistrations } from './endpoint-registrations.ts';
import { numberForIdentity, readCaller, type ShownCaller } from './caller-identity.ts';
import { numberIn, readHeaderNumbers } from './header-numbers.ts';
import { offersEvents } from './leg-keys.ts';
import type { Registration } from './registration.ts';
import type { RegistrationRequest } from './registration-request.ts';
import type { LegControl, LegInvite, MediaSettings, OpenMedia } from './leg-control.ts';
import { SipReferral } from './leg-referrals.ts';
import { SipLeg } from './sip-leg.ts';
import type { IncomingHandler, SipEndpoint } from './sip-endpoint-port.ts';
import type { SipEndpointOptions } from './sip-endpoint-options.ts';
import { SourceRateLimit, type RateLimit } from './source-rate-limit.ts';

const DEFAULT_INBOUND_RING_LIMIT_MS = 60_000;
const DEFAULT_SILENCE_LIMIT_MS = 20_000;
/** How long `stop` waits for the last BYE to be confirmed, and its polling interval, milliseconds. */
const STOP_LIMIT_MS = 4000;
const STOP_LOOK_MS = 20;
const TEMPORARILY_UNAVAILABLE = 480;
const NO_SUCH_CALL = 481;
/** Signatures of callers' identities that are verified, of all sources together. */
const SIGNATURE_LIMIT: RateLimit = { perSecond: 100, burst: 200 };
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/**
 * Creates an endpoint; nothing is bound before `start`.
 *
 * @throws Error when the public address is a wildcard
 */
export function createSipEndpoint(options: SipEndpointOptions): SipEndpoint {
  return new SocketSipEndpoint(options);
}

class SocketSipEndpoint implements SipEndpoint {
  readonly diagnostics: EndpointObserver;
  readonly #options: SipEndpointOptions;
  readonly #publicHost: string;
  readonly #driver: AgentDriver;
  readonly #registrations: EndpointRegistrations;
  readonly #control: LegControl<SipLeg>;
  readonly #signatures = new SourceRateLimit(SIGNATURE_LIMIT);
  readonly #legs = new Set<SipLeg>();
  readonly #byCall = new Map<CallNumber, SipLeg>();
  readonly #background: BackgroundWork;
  readonly #storedDialogs = new Map<number, (status: number | null) => void>();
  #onIncoming: IncomingHandler | null = null;
  #onStrayAnswer: (answer: StrayAnswer) => void = () => undefined;
  #onEmpty: (() => void)[] = [];
  #isRunning = false;

  constructor(options: SipEndpointOptions) {
    this.#options = options;
    this.#publicHost = options.publicAddress ?? options.listen.host;
    if (WILDCARDS.includes(this.#publicHost))
      throw new Error('A SIP endpoint needs a public address that is not a wildcard');
    const { clock, log, random = (byteCount) => randomBytes(byteCount) } = options;
    this.#driver = new AgentDriver({
      clock,
      log,
      listen: options.listen,
      tls: options.tls,
      publicHost: this.#publicHost,
      userAgent: options.userAgent,
      random,
      ...(options.rateLimit ? { rateLimit: options.rateLimit } : {}),
      ...(options.sessionTimer ? { sessionTimer: options.sessionTimer } : {}),
      ...(options.front ? { front: options.front } : {}),
      ...(options.nameServers ? { nameServers: options.nameServers } : {}),
      ...(options.onDatagram ? { onDatagram: options.onDatagram } : {}),
      ...(options.onTrusted ? { onTrusted: options.onTrusted } : {}),
      onAdmitted: (direction, bytes, peer) => this.diagnostics.note(direction, bytes, peer),
      onAction: (action) => this.#take(action),
    });
    const allowed = options.allowPrivateTrunks ?? 'all';
    this.#registrations = new EndpointRegistrations({ clock, log, random, driver: this.#driver, allowed });
    const { publicMediaAddress: mediaHost = this.#publicHost } = options;
    const known = { publicHost: this.#publicHost, mediaHost };
    this.diagnostics = new EndpointObserver({ clock, driver: this.#driver, ...known });
    this.#background = new BackgroundWork(log);
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
    await Promise.all([this.#registrations.stop(), this.#waitForFarEnds()]);
    for (const leg of this.#legs) leg.end({ cause: 'local-hang-up', detail: 'The endpoint was stopped' });
    await this.#driver.close();
    this.diagnostics.stop();
    for (const settle of this.#storedDialogs.values()) settle(null);
    this.#storedDialogs.clear();
  }

  dial(request: DialRequest): CallLeg {
    if (!this.#isRunning) throw new Error('The SIP endpoint is not started');
    const { sipCallId: id, from, to, ringTimeoutMs: ringLimitMs, trunk } = request;
    const leg = this.#openLeg({
      id,
      direction: 'outbound',
      from,
      to,
      ringLimitMs,
      silenceLimitMs: trunk.silenceLimitMs,
      dtmf: trunk.dtmf,
      writeNumber: trunk.writeNumber,
      trunk,
    });
    this.#background.start('send the INVITE of a call', () => this.#tryToInvite(leg, request));
    return leg;
  }

  resume(request: ResumedLegRequest): CallLeg {
    if (!this.#isRunning) throw new Error('The SIP endpoint is not started');
    const { dialog, direction, from, to, trunk, limitMs: ringLimitMs } = request;
    const { silenceLimitMs, dtmf, writeNumber } = trunk;
    this.#options.onResumed?.(dialog.localTag);
    const callerTag = direction === 'inbound' ? { callerTag: dialog.remoteTag } : {};
    const about = { id: dialog.callId, ...callerTag, direction, from, to, ringLimitMs };
    const leg = this.#openLeg({ ...about, silenceLimitMs, dtmf, writeNumber, trunk });
    this.#background.start('go on with a call of a lost process', async () => {
      await this.#resume(leg, request).catch((error: unknown) => {
        this.#options.log.warn({ err: error, sipCallId: leg.id }, 'A call of a lost process could not go on');
        leg.endBy({ by: 'transport' });
      });
    });
    return leg;
  }

  async #resume(leg: SipLeg, request: ResumedLegRequest): Promise<void> {
    const { rtp, local } = await this.#openMedia(request.trunk, leg.media.sampleRateHz);
    leg.attach(rtp, local);
    if (leg.hasEnded) return;
    const { call, ...way } = resumeLeg(this.#driver, { request, local }, this.#options.clock.monotonic());
    this.#byCall.set(call, leg);
    leg.begin(call, way);
    this.#driver.settle();
  }

  async follow(referral: LegReferral, request: DialRequest): Promise<ReferralOutcome> {
    if (!(referral instanceof SipReferral)) throw new TypeError('A referral of another kind of leg');
    return referral.follow(request);
  }

  register(request: RegistrationRequest): Registration {
    if (!this.#isRunning) throw new Error('The SIP endpoint is not started');
    return this.#registrations.open(request, { ...this.#driver.address, host: this.#publicHost });
  }

  countStranger(sourceAddress: string): void {
    this.#driver.countStranger(sourceAddress);
    this.#options.onStranger?.(sourceAddress);
  }

  onIncoming(handler: IncomingHandler): void {
    this.#onIncoming = handler;
  }

  onStrayAnswer(handler: (answer: StrayAnswer) => void): void {
    this.#onStrayAnswer = handler;
  }

  async endStoredDialog(dialog: StoredDialog, credentials?: Credentials): Promise<number | null> {
    const nowMs = this.#options.clock.monotonic();
    return this.#untilDialogEnded(this.#driver.agent.sendBye(dialog, nowMs, credentials ?? null));
  }

  async endStrayAnswer(answer: StrayAnswer): Promise<number | null> {
    return this.#untilDialogEnded(this.#driver.agent.endStrayAnswer(answer, this.#options.clock.monotonic()));
  }

  async #untilDialogEnded(id: number): Promise<number | null> {
    const { promise, resolve } = Promise.withResolvers<number | null>();
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

  address(): { host: string; port: number; tlsPort: number } {
    return this.#driver.address;
  }

  async findTrunk(trunk: TrunkAddress): Promise<TrunkTargets> {
    const { allowPrivateTrunks = 'all' } = this.#options;
    return findTargets(this.#driver, trunk, trunk.isTrusted ? 'all' : allowPrivateTrunks);
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

  /** For a leg that goes on with another party. Its servers are known. */
  #inviteFor(leg: SipLeg, { request, local, onCall }: LegInvite): void {
    const { targets } = request;
    if (!targets) throw new Error('The servers of the trunk are unknown');
    const invite = toInvite(request, { publicHost: this.#publicHost, targets, local });
    const call = this.#driver.agent.invite(invite, this.#options.clock.monotonic());
    this.#byCall.set(call, leg);
    onCall(call, targets[0].address);
    this.#driver.settle();
  }

  async #invite(leg: SipLeg, request: DialRequest): Promise<void> {
    const { rtp, local } = await this.#openMedia(request.trunk, leg.media.sampleRateHz);
    leg.attach(rtp, local);
    const targets = request.targets ?? (await this.findTrunk(request.trunk));
    if (leg.hasEnded) return;
    const call = this.#driver.agent.invite(
      toInvite(request, { publicHost: this.#publicHost, targets, local }),
      this.#options.clock.monotonic(),
    );
    this.#byCall.set(call, leg);
    leg.begin(call, { signallingHost: targets[0].address, isSecure: request.trunk.transport === 'tls' });
    this.#driver.settle();
  }

  #take(action: AgentAction): void {
    if (action.type === 'incoming') this.#takeIncoming(action.call, action.incoming);
    else if (action.type === 'call') this.#takeCallEvent(action.call, action.event);
    else if (action.type === 'register-ended') this.#registrations.take(action);
    else if (action.type === 'query-ended') this.diagnostics.take(action);
    else if (action.type === 'stray-answer') this.#onStrayAnswer(action.answer);
    else if (action.type === 'dialog-ended') {
      this.#storedDialogs.get(action.id)?.(action.status);
      this.#storedDialogs.delete(action.id);
    }
  }

  #takeCallEvent(call: CallNumber, event: CallEvent): void {
    this.#byCall.get(call)?.take(event, call);
    if (event.type === 'ended') this.#byCall.delete(call);
  }

  /**
   * RFC 3891 section 3 asks to verify that the sender may replace the call. It must come from the host of the call: the trunk
   * that carries it. Others get the answer for a dialog that does not exist.
   */
  #replace(replaced: CallNumber, call: CallNumber, incoming: IncomingCall): void {
    const leg = this.#byCall.get(replaced);
    const { host: signallingHost, transport } = this.#hopOf(incoming);
    if (leg && leg.signallingHost === signallingHost) {
      this.#byCall.set(call, leg);
      if (leg.takeOver(call, { signallingHost, isSecure: transport === 'tls' })) return;
      this.#byCall.delete(call);
    }
    this.#driver.run((agent, nowMs) => agent.reject(call, NO_SUCH_CALL, nowMs));
  }

  #takeIncoming(call: CallNumber, incoming: IncomingCall): void {
    if (incoming.replaces !== null) return this.#replace(incoming.replaces, call, incoming);
    const { inboundRingLimitMs = DEFAULT_INBOUND_RING_LIMIT_MS } = this.#options;
    const leg = this.#openLeg({
      id: incoming.callId,
      callerTag: incoming.fromTag,
      direction: 'inbound',
      from: numberIn(incoming.fromUri),
      to: numberIn(incoming.requestUri) || numberIn(incoming.toUri),
      ringLimitMs: inboundRingLimitMs,
      silenceLimitMs: undefined,
      dtmf: undefined,
      writeNumber: undefined,
      mustOfferInRinging: incoming.mustOfferInRinging,
    });
    this.#byCall.set(call, leg);
    const { host: sourceAddress, transport } = this.#hopOf(incoming);
    leg.begin(call, { signallingHost: sourceAddress, isSecure: transport === 'tls' });
    const numbers = readHeaderNumbers(incoming.headers, incoming);
    const caller = this.#readCaller(leg, incoming, numbers.isPrivate);
    const { fromTag, sequence } = incoming;
    const invite = { fromTag, sequence };
    if (this.#onIncoming) this.#onIncoming(leg, { sourceAddress, invite, ...numbers, ...caller });
    else leg.reject(TEMPORARILY_UNAVAILABLE);
  }

  #readCaller(leg: CallLeg, { headers, fromUri, fromName }: IncomingCall, isPrivate: boolean): ShownCaller {
    const { clock, identityCertificates: certificates = [] } = this.#options;
    const numbers = { from: numberForIdentity(headers, fromUri), to: leg.to };
    const trust = {
      certificates,
      nowSeconds: Math.floor(clock.now() / 1000),
      mayVerify: () => this.#signatures.admits('', clock.monotonic()),
    };
    return readCaller(headers, { fromName, fromUri, isPrivate, numbers }, trust);
  }

  #hopOf({ source, headers }: IncomingCall): Pick<Destination, 'host' | 'transport'> {
    const behind = isFrom(this.#options.front, source) ? hopBehind(headers) : null;
    return behind ?? source;
  }

  #openLeg(
    about: Pick<CallLeg, 'id' | 'callerTag' | 'direction' | 'from' | 'to'> & {
      ringLimitMs: number;
      silenceLimitMs: number | undefined;
      dtmf: DtmfSetting | undefined;
      writeNumber: NumberWriter | undefined;
      trunk?: TrunkAddress;
      mustOfferInRinging?: boolean;
    },
  ): SipLeg {
    const { clock, log, silenceLimitMs: general = DEFAULT_SILENCE_LIMIT_MS } = this.#options;
    const silenceLimitMs = about.silenceLimitMs ?? general;
    const dtmf = about.dtmf ?? 'auto';
    const leg = new SipLeg({ ...about, clock, log, silenceLimitMs, dtmf }, this.#control);
    this.#legs.add(leg);
    this.diagnostics.begin(leg);
    return leg;
  }

  #legControl(): LegControl<SipLeg> {
    const run = (command: (agent: UserAgent, nowMs: number) => void): void => this.#driver.run(command);
    return {
      openMedia: (settings, sampleRateHz) => this.#openMedia(settings, sampleRateHz),
      ring: (call, local) => {
        this.#trustSource(call);
        run((agent, nowMs) => agent.ring(call, nowMs, local));
      },
      background: (what, work) => this.#background.start(what, work),
      followRedirect: async (leg, call, targets) =>
        followRedirect(
          { driver: this.#driver, leg, call, allowed: this.#options.allowPrivateTrunks },
          targets,
        ),
      answer: (call, local, acceptsRefer) => {
        this.#trustSource(call);
        run((agent, nowMs) => agent.answer(call, local, nowMs, acceptsRefer));
      },
      answerRefer: (call, status) => run((agent, nowMs) => agent.answerRefer(call, status, nowMs)),
      reportReferral: (call, status) => run((agent, nowMs) => agent.reportReferral(call, status, nowMs)),
      invite: (leg, invite) => this.#inviteFor(leg, invite),
      reject: (call, sipStatus) => run((agent, nowMs) => agent.reject(call, sipStatus, nowMs)),
      hangUp: (call) => run((agent, nowMs) => agent.hangUp(call, nowMs)),
      abandon: (call) => run((agent, nowMs) => agent.abandon(call, nowMs)),
      sendKey: (call, digit) => run((agent, nowMs) => agent.sendKey(call, digit, nowMs)),
      refer: (call, request) => run((agent, nowMs) => agent.refer(call, request, nowMs)),
      forget: (leg, call) => this.#forget(leg, call),
    };
  }

  /** The application has accepted an inbound call, so its source belongs to a trunk and is never banned. */
  #trustSource(call: CallNumber): void {
    const source = this.#byCall.get(call)?.signallingHost ?? null;
    if (source !== null) this.#driver.trust(source);
  }

  async #openMedia(
    { dtmf, encryption = 'none', codecs }: MediaSettings,
    sampleRateHz: 8000 | 16_000,
  ): Promise<OpenMedia> {
    const { media, listen, mediaHost = listen.host, publicMediaAddress = this.#publicHost } = this.#options;
    const rtp = await media.openMedia({ localHost: mediaHost, sampleRateHz });
    const hasEvents = offersEvents(dtmf);
    const local = {
      host: publicMediaAddress,
      port: rtp.localPort,
      hasEvents,
      encryption,
      ...(codecs ? { codecs } : {}),
    };
    return { rtp, local };
  }

  #forget(leg: SipLeg, call: CallNumber | null): void {
    this.#legs.delete(leg);
    this.diagnostics.end(leg);
    if (call !== null) this.#byCall.delete(call);
    if (this.#legs.size > 0) return;
    for (const resolve of this.#onEmpty.splice(0)) resolve();
  }

  /** Waits until all our requests have a final response, so that a lost BYE is retransmitted; at most a few seconds. */
  async #waitForFarEnds(): Promise<void> {
    const { clock } = this.#options;
    const untilMs = clock.monotonic() + STOP_LIMIT_MS;
    const isBusy = (): boolean => this.#legs.size > 0 || this.#driver.agent.load().awaited > 0;
    while (isBusy() && clock.monotonic() < untilMs) await pause(clock, STOP_LOOK_MS);
  }
}
