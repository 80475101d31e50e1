/**
 * The REFER requests that a leg receives (RFC 3515): at most a few in a call, one at a time. The application decides about each;
 * what the leg does with one that is followed is in `leg-succession.ts`.
 */
import type { Clock, Timer } from '@parley/runtime';
import type { CallEnd, CallNumber, ReferTarget } from '@parley/sip';
import type { LegReferral, ReferralOutcome } from '../call-leg.ts';
import type { DialRequest } from './dial-request.ts';
import { statusOfReferral } from './leg-end.rules.ts';
import type { LegControl } from './leg-control.ts';

/** A referral that is followed: a call to its party is under way. */
export interface Followed {
  /** The call whose far end has sent REFER. */
  referrer: CallNumber;
  request: DialRequest;
  /** For the application. */
  settle: (outcome: ReferralOutcome) => void;
}

/** A REFER that waits for a decision. */
export class SipReferral implements LegReferral {
  readonly user: string;
  readonly host: string | null;
  readonly ownHosts: readonly string[];
  readonly isAttended: boolean;
  readonly #target: ReferTarget;
  readonly #start: (request: DialRequest) => Promise<ReferralOutcome>;
  readonly #refuse: (sipStatus: number) => void;

  constructor(
    target: ReferTarget,
    signallingHost: string | null,
    act: { start: (request: DialRequest) => Promise<ReferralOutcome>; refuse: (sipStatus: number) => void },
  ) {
    this.user = target.user;
    this.host = target.host;
    this.ownHosts = [target.ownHost, signallingHost].filter((one) => one !== null);
    this.isAttended = target.hasReplaces;
    this.#target = target;
    this.#start = act.start;
    this.#refuse = act.refuse;
  }

  refuse(sipStatus: number): void {
    this.#refuse(sipStatus);
  }

  /** Calls the party, and adds what REFER says about the headers of the INVITE. Never rejects. */
  follow(request: DialRequest): Promise<ReferralOutcome> {
    return this.#start({ ...request, headers: [...(request.headers ?? []), ...this.#target.headers] });
  }
}

/** REFER requests of a call that are considered; others get 603, so that a far end cannot call number after number. */
const MOST_REFERRALS = 5;
/**
 * RFC 5589 section 6.1: the transferor ends its call when it learns of the success. If it has not done so after this time,
 * milliseconds, we do.
 */
const REFERRER_LIMIT_MS = 3000;
const DECLINE = 603;

type Control = Pick<LegControl<unknown>, 'answerRefer' | 'reportReferral' | 'hangUp'>;

/** One instance per leg. */
export class LegReferrals {
  readonly #clock: Clock;
  readonly #control: Control;
  readonly #follow: (followed: Followed) => boolean;
  #count = 0;
  /** Hangs up the call of a transferor that stays. */
  #leaving: { call: CallNumber; timer: Timer } | null = null;

  /** @param follow - calls the party; false if the leg cannot */
  constructor(clock: Clock, control: Control, follow: (followed: Followed) => boolean) {
    this.#clock = clock;
    this.#control = control;
    this.#follow = follow;
  }

  /** @returns null for one that was declined, because the leg is busy with something else or there were too many */
  take(
    referrer: CallNumber,
    target: ReferTarget,
    leg: { isBusy: boolean; signallingHost: string | null },
  ): LegReferral | null {
    this.#count += 1;
    const refuse = (sipStatus: number): void => this.#control.answerRefer(referrer, sipStatus);
    if (leg.isBusy || this.#count > MOST_REFERRALS) {
      refuse(DECLINE);
      return null;
    }
    const start = async (request: DialRequest): Promise<ReferralOutcome> => {
      const { promise, resolve: settle } = Promise.withResolvers<ReferralOutcome>();
      if (this.#follow({ referrer, request, settle })) return promise;
      refuse(DECLINE);
      return { isConnected: false, sipStatus: DECLINE };
    };
    return new SipReferral(target, leg.signallingHost, { start, refuse });
  }

  succeeded({ referrer: call, settle }: Followed): void {
    this.#control.reportReferral(call, 200);
    this.#dismiss();
    const timer = this.#clock.after(REFERRER_LIMIT_MS, () => this.#dismiss());
    this.#leaving = { call, timer };
    settle({ isConnected: true, sipStatus: 200 });
  }

  failed({ referrer, settle }: Followed, end: CallEnd, isRingLimit: boolean): void {
    const sipStatus = statusOfReferral(end, isRingLimit);
    this.#control.reportReferral(referrer, sipStatus);
    settle({ isConnected: false, sipStatus });
  }

  /** The leg has ended. */
  end(): void {
    this.#dismiss();
  }

  #dismiss(): void {
    if (!this.#leaving) return;
    const { call, timer } = this.#leaving;
    this.#leaving = null;
    timer.cancel();
    this.#control.hangUp(call);
  }
}
