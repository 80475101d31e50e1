/**
 * Another call takes a leg over: one whose INVITE names the call of the leg in Replaces (RFC 3891), or our own call to the
 * party of a REFER (RFC 3515). Media and port of the leg stay. The call of the leg goes on until the other one is answered, and
 * if that fails.
 */
import type { Clock, Timer } from '@parley/runtime';
import type { AgreedMedia, CallEnd, CallEvent, CallNumber } from '@parley/sip';
import type { StoredDialog } from '../call-leg.ts';
import type { Followed, LegReferrals } from './leg-referrals.ts';
import type { LegControl } from './leg-control.ts';

/** The call that has taken the leg over. */
export interface SucceededCall {
  call: CallNumber;
  host: string;
  agreed: AgreedMedia | null;
  dialog: StoredDialog;
  by: 'replaces' | 'refer';
}

/** What a succession does to its leg. */
export interface SuccessionOwner {
  connect(agreed: AgreedMedia, host: string): void;
  succeed(next: SucceededCall): void;
  /** The other call has failed; `oldEnd`: so has that of the leg. */
  keepOld(oldEnd: CallEnd | null): void;
  /** The far end has left while the party of its REFER rings. */
  lostFarEnd(): void;
}

interface Successor {
  call: CallNumber;
  host: string;
  agreed: AgreedMedia | null;
  /** How the call of the leg has ended in the meantime; null: it goes on. */
  oldEnd: CallEnd | null;
  followed: Followed | null;
  ringLimit: Timer | null;
  isRingLimit: boolean;
}

/** One instance per leg; one successor at a time. */
export class LegSuccession {
  readonly #clock: Clock;
  readonly #control: Pick<LegControl<unknown>, 'hangUp'>;
  readonly #referrals: LegReferrals;
  readonly #owner: SuccessionOwner;
  #successor: Successor | null = null;

  constructor(
    { clock, control }: { clock: Clock; control: Pick<LegControl<unknown>, 'hangUp'> },
    referrals: LegReferrals,
    owner: SuccessionOwner,
  ) {
    this.#clock = clock;
    this.#control = control;
    this.#referrals = referrals;
    this.#owner = owner;
  }

  get isPending(): boolean {
    return this.#successor !== null;
  }

  /** The party of a REFER is called. */
  get isFollowing(): boolean {
    return this.#successor?.followed != null;
  }

  /** @param followed - for our own call: the referral of its party */
  begin(call: CallNumber, host: string, followed: Followed | null): void {
    const successor: Successor = {
      call,
      host,
      agreed: null,
      oldEnd: null,
      followed,
      ringLimit: null,
      isRingLimit: false,
    };
    this.#successor = successor;
    if (!followed) return;
    successor.ringLimit = this.#clock.after(followed.request.ringTimeoutMs, () => {
      successor.isRingLimit = true;
      this.#control.hangUp(call);
    });
  }

  /** @returns false for an event of another call */
  take(event: CallEvent, call: CallNumber): boolean {
    const successor = this.#successor;
    if (successor?.call !== call) return false;
    if (event.type === 'media') {
      successor.agreed = event.agreed;
      this.#owner.connect(event.agreed, successor.host);
    } else if (event.type === 'answered') this.#succeed(event.dialog, successor);
    else if (event.type === 'failed-over') successor.host = event.to.host;
    // A redirect is not followed: the number was named by the far end, and checked as it was.
    else if (event.type === 'redirected') this.#control.hangUp(call);
    else if (event.type === 'ended') this.#fail(event.end, successor);
    return true;
  }

  /** The far end may end its old call before it has acknowledged the answer to the new one. @returns false if there is none */
  oldEnded(end: CallEnd): boolean {
    if (!this.#successor) return false;
    this.#successor.oldEnd = end;
    if (this.#successor.followed) this.#owner.lostFarEnd();
    return true;
  }

  /** The call that takes the leg over would go on otherwise. */
  hangUp(): void {
    if (this.#successor) this.#control.hangUp(this.#successor.call);
  }

  /** The leg has ended. */
  end(): void {
    const successor = this.#successor;
    if (!successor) return;
    this.hangUp();
    this.#successor = null;
    successor.ringLimit?.cancel();
    if (successor.followed) this.#referrals.failed(successor.followed, { by: 'cancel' }, false);
  }

  #succeed(dialog: StoredDialog, { call, host, agreed, followed, ringLimit }: Successor): void {
    this.#successor = null;
    ringLimit?.cancel();
    this.#owner.succeed({ call, host, agreed, dialog, by: followed ? 'refer' : 'replaces' });
    if (followed) this.#referrals.succeeded(followed);
  }

  #fail(end: CallEnd, { oldEnd, followed, ringLimit, isRingLimit }: Successor): void {
    this.#successor = null;
    ringLimit?.cancel();
    if (followed) this.#referrals.failed(followed, end, isRingLimit);
    this.#owner.keepOld(oldEnd);
  }
}
