/** The interface of a SIP endpoint. */
import type { Service } from '@parley/runtime';
import type { Credentials, StrayAnswer } from '@parley/sip';
import type { CallLeg, LegReferral, ReferralOutcome, StoredDialog } from '../call-leg.ts';
import type { ShownCaller } from './caller-identity.ts';
import type { DialRequest, TrunkAddress, TrunkTargets } from './dial-request.ts';
import type { ResumedLegRequest } from './resume-leg.ts';
import type { HeaderNumbers } from './header-numbers.ts';
import type { EndpointDiagnostics } from './endpoint-diagnostics.ts';
import type { Registration } from './registration.ts';
import type { RegistrationRequest } from './registration-request.ts';

/** Facts about an inbound call besides its leg. */
export interface IncomingInfo extends HeaderNumbers, ShownCaller {
  /** The real source address of the INVITE. */
  sourceAddress: string;
}

/** Handles an inbound call by calling `ring`, `answer` or `reject` on its leg. */
export type IncomingHandler = (leg: CallLeg, info: IncomingInfo) => void;

/** The endpoint. `stop` hangs up the remaining calls and waits a few seconds for the far ends to confirm. */
export interface SipEndpoint extends Service {
  /** Traces of calls, and questions to trunks. */
  readonly diagnostics: EndpointDiagnostics;
  /**
   * Starts a call; every failure is reported by the event `ended` of the leg.
   *
   * @throws Error before `start` and after `stop`
   */
  dial(request: DialRequest): CallLeg;
  /**
   * Goes on with a call of a lost process: a re-INVITE moves its media here. The leg reports `answered` once the far end has
   * accepted, and ends otherwise, with BYE.
   *
   * @throws Error before `start` and after `stop`
   */
  resume(request: ResumedLegRequest): CallLeg;
  /**
   * Answers a REFER with 202 and calls the party that it names, with the media of its leg. The leg goes on: with the party
   * after its answer (event `replaced`), otherwise with its far end, or it ends if that has hung up. Never rejects.
   *
   * @param request - the call to the party, with its targets; what REFER says about headers is added
   */
  follow(referral: LegReferral, request: DialRequest): Promise<ReferralOutcome>;
  /**
   * Finds the servers of a trunk, before the permission to dial is asked for: a lookup may take seconds.
   *
   * @throws Error when no host has an address; ForbiddenTrunkError when none has one that is allowed
   */
  findTrunk(trunk: TrunkAddress): Promise<TrunkTargets>;
  /**
   * Registers our Contact at a registrar until the registration or the endpoint is stopped.
   *
   * @throws Error before `start` and after `stop`; RangeError and SipParseError for a request with bad values
   */
  register(request: RegistrationRequest): Registration;
  /** Sets the only handler; without one, inbound calls are rejected with 480. */
  onIncoming(handler: IncomingHandler): void;
  /** Sends BYE for a call of another process. Resolves with the status of the response, null without one. */
  endStoredDialog(dialog: StoredDialog, credentials?: Credentials): Promise<number | null>;
  /**
   * The handler decides about calls that the far end answered while no process held them, usually because the process of
   * that time was killed; {@link endStrayAnswer} ends them. Without a handler their answers are dropped.
   */
  onStrayAnswer(handler: (answer: StrayAnswer) => void): void;
  endStrayAnswer(answer: StrayAnswer): Promise<number | null>;
  /** Counts a refused call of a source that is no trunk: as with other bad requests, the tenth bans the source. */
  countStranger(sourceAddress: string): void;
  /** Refuses new calls with 503 from now on; resolves when the last leg has ended. */
  drain(): Promise<void>;
  /** The listening address; the ports are known once started. */
  address(): { host: string; port: number; tlsPort: number };
  /** The number of live legs, including those not yet answered. */
  activeLegs(): number;
}
