/** A SIP endpoint without a network: it records dial requests and returns fake legs. */
import type { ShownCaller } from '../sip/caller-identity.ts';
import { ManualClock, silentLog } from '@parley/runtime';
import type { RegisterOutcome, StrayAnswer } from '@parley/sip';
import type { LegReferral, ReferralOutcome, StoredDialog } from '../call-leg.ts';
import type { DialRequest, TrunkAddress, TrunkTargets } from '../sip/dial-request.ts';
import type { ResumedLegRequest } from '../sip/resume-leg.ts';
import { Registration } from '../sip/registration.ts';
import type { RegistrationRequest } from '../sip/registration-request.ts';
import type { HeaderNumbers } from '../sip/header-numbers.ts';
import type { IncomingHandler, SipEndpoint } from '../sip/sip-endpoint-port.ts';
import type { EndpointDiagnostics } from '../sip/endpoint-diagnostics.ts';
import type { TrunkReply } from '../sip/endpoint-queries.ts';
import type { SipTrace } from '../sip/sip-traces.ts';
import { FakeLeg } from './fake-leg.ts';

/** An INVITE whose header fields contain no number. */
export const NO_NUMBERS: HeaderNumbers & ShownCaller = {
  callerName: '',
  identity: null,
  toHeader: '',
  calledPartyId: '',
  assertedIdentity: '',
  remotePartyId: '',
  isPrivate: false,
  divertedBy: [],
  firstDiverting: '',
};

/** See the head of this file. */
export class FakeEndpoint implements SipEndpoint {
  /** Sources of refused calls that were counted against them. */
  readonly strangers: string[] = [];

  readonly dialed: DialRequest[] = [];
  readonly legs: FakeLeg[] = [];
  /** Dialogs that were to be ended with a BYE. */
  readonly endedDialogs: StoredDialog[] = [];
  /** Thrown by the next dials. */
  fault: Error | null = null;
  #onIncoming: IncomingHandler | null = null;
  #onDialed: ((leg: FakeLeg) => void)[] = [];

  dial(request: DialRequest): FakeLeg {
    this.dialed.push(request);
    if (this.fault) throw this.fault;
    const { sipCallId: id, from, to } = request;
    const leg = new FakeLeg({ id, direction: 'outbound', from, to });
    this.legs.push(leg);
    for (const resolve of this.#onDialed.splice(0)) resolve(leg);
    return leg;
  }

  /** Calls of lost processes that went on here. */
  readonly resumed: ResumedLegRequest[] = [];

  resume(request: ResumedLegRequest): FakeLeg {
    this.resumed.push(request);
    if (this.fault) throw this.fault;
    const { dialog, direction, from, to } = request;
    const leg = new FakeLeg({ id: dialog.callId, direction, from, to });
    this.legs.push(leg);
    for (const resolve of this.#onDialed.splice(0)) resolve(leg);
    return leg;
  }

  /** Referrals that were followed, with the calls to their parties. */
  readonly followed: { referral: LegReferral; request: DialRequest }[] = [];
  /** What becomes of the next referral. */
  referralOutcome: Promise<ReferralOutcome> = Promise.resolve({ isConnected: true, sipStatus: 200 });

  async follow(referral: LegReferral, request: DialRequest): Promise<ReferralOutcome> {
    this.followed.push({ referral, request });
    if (this.fault) throw this.fault;
    return this.referralOutcome;
  }

  /** Runs during each lookup of a trunk's host; it may fail. */
  onLookup: () => Promise<void> = async () => {};

  async findTrunk({ host, port }: TrunkAddress): Promise<TrunkTargets> {
    await this.onLookup();
    return [{ host, port, address: host, addressPort: port ?? 5060, source: 'host' }];
  }

  /** Resolves with the next leg that is dialed. */
  async nextDial(): Promise<FakeLeg> {
    return new Promise((resolve) => this.#onDialed.push(resolve));
  }

  /** What trunks answer to questions. */
  reply: TrunkReply = { result: 'silent' };

  /** The SIP messages of calls by Call-ID. */
  readonly traces = new Map<string, SipTrace>();

  readonly diagnostics: EndpointDiagnostics = {
    takeTrace: async ({ id: sipCallId }) => {
      const trace = this.traces.get(sipCallId) ?? null;
      this.traces.delete(sipCallId);
      return trace;
    },
    ask: async () => this.reply,
    announced: () => ({ ...this.address(), mediaHost: this.address().host }),
  };

  countStranger(sourceAddress: string): void {
    this.strangers.push(sourceAddress);
  }

  onIncoming(handler: IncomingHandler): void {
    this.#onIncoming = handler;
  }

  /** A call comes in. */
  receive(leg: FakeLeg, sourceAddress: string): void {
    const invite = { fromTag: leg.callerTag, sequence: 1 };
    this.#onIncoming?.(leg, { sourceAddress, invite, ...NO_NUMBERS, toHeader: leg.to });
  }

  async endStoredDialog(dialog: StoredDialog): Promise<number | null> {
    this.endedDialogs.push(dialog);
    return 200;
  }

  /** Registrations that were asked for. */
  readonly registered: RegistrationRequest[] = [];
  /** What the registrar answers to the next REGISTERs. */
  registerOutcome: RegisterOutcome = { by: 'grant', status: 200, expiresSeconds: 300 };
  /** The clock of the registrations, which a test moves. */
  readonly registrationClock = new ManualClock();

  register(request: RegistrationRequest): Registration {
    this.registered.push(request);
    if (this.fault) throw this.fault;
    return new Registration(request, {
      clock: this.registrationClock,
      log: silentLog,
      random: (byteCount) => new Uint8Array(byteCount),
      address: this.address(),
      locate: async ({ host, port }) => [
        { host, port, address: host, addressPort: port ?? 5060, source: 'host' },
      ],
      send: () => ({ outcome: Promise.resolve(this.registerOutcome), drop: () => undefined }),
      forget: () => undefined,
    });
  }

  onStrayAnswer(handler: (answer: StrayAnswer) => void): void {
    this.strayAnswer = handler;
  }

  /** An answer arrives for a call that this process does not hold. */
  strayAnswer: (answer: StrayAnswer) => void = () => undefined;

  async endStrayAnswer({ dialog }: StrayAnswer): Promise<number | null> {
    return this.endStoredDialog(dialog);
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async drain(): Promise<void> {}

  address(): { host: string; port: number; tlsPort: number } {
    return { host: '127.0.0.1', port: 5060, tlsPort: 5061 };
  }

  activeLegs(): number {
    return this.legs.length;
  }
}
