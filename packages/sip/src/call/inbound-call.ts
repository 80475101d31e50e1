/**
 * Drives an inbound call through its state table: ringing, answer, rejection, the caller's CANCEL, and the session.
 */
import type { CallEnd, CallEvent, CallOwner } from './agent-actions.ts';
import { ALLOW, type AgentCore } from '../dialog/agent-core.ts';
import { Authenticator } from '../dialog/authentication.ts';
import { recordRoutes } from '../message/build-response.ts';
import { isRequest, type Received } from '../message/destination.ts';
import { EarlyDialog } from './early-dialog.ts';
import { dialogFromRequest, storeDialog, type Dialog, type StoredDialog } from '../dialog/dialog.ts';
import {
  INBOUND_TABLE,
  type InboundEffect,
  type InboundEvent,
  type InboundState,
} from './inbound-call.rules.ts';
import type { KeyInfo } from './info.ts';
import { MediaNegotiation } from '../media/media-negotiation.ts';
import { headerValue, type SipRequest } from '../message/message.ts';
import type { LocalMedia } from '../media/offer-answer.ts';
import { NOT_IN_A_CALL, type ReferRequest } from './refer.ts';
import type { Replaces } from '../message/replaces.ts';
import { Session } from './session.ts';
import type { Alarm } from '../transaction/timer-queue.ts';
import type { Transaction } from '../transaction/transaction.ts';

/** The final response when we end a call that was never answered: 480 Temporarily Unavailable. */
const UNANSWERED_STATUS = 480;
/** The final response when our 180 was never acknowledged (RFC 3262 section 3): 504 Server Time-out. */
const PRACK_MISSING_STATUS = 504;
/** The limits of ringing end a call long before. */
const LONGEST_INVITATION_SECONDS = 3600;
const MOST_EARLY_KEYS = 32;

/** One inbound call. */
export class InboundCall {
  readonly #core: AgentCore;
  readonly #invite: Received<SipRequest>;
  readonly #owner: CallOwner;
  readonly #dialog: Dialog;
  readonly #early: EarlyDialog;
  #transaction: Transaction | null = null;
  #state: InboundState = 'arrived';
  #session: Session | null = null;
  #media: MediaNegotiation | null = null;
  #refusalStatus = UNANSWERED_STATUS;
  #ringingMedia: LocalMedia | null = null;
  /** Ends with the time of Expires. */
  #invitation: Alarm | null = null;
  /** The application has answered, but RFC 3262 demands a PRACK before our 200. */
  #answersAfterPrack = false;
  #acceptsRefer = false;
  /** Keys that came before the answer; they are reported after it. */
  #earlyKeys: KeyInfo[] = [];

  /** @throws SipParseError when the INVITE cannot open a dialog */
  constructor(core: AgentCore, invite: Received<SipRequest>, owner: CallOwner) {
    this.#core = core;
    this.#invite = invite;
    this.#owner = owner;
    this.#dialog = dialogFromRequest(invite, core.newTag());
    this.#early = new EarlyDialog(core, {
      dialog: this.#dialog,
      invite,
      onBye: () => this.#apply('remote-bye'),
      onKey: (key) => this.#earlyKeys.length < MOST_EARLY_KEYS && this.#earlyKeys.push(key),
      onAcknowledged: () => this.#answersAfterPrack && this.#apply('answer'),
      onPrackMissing: () => this.reject(PRACK_MISSING_STATUS),
    });
  }

  /** The tag of its responses. */
  get localTag(): string {
    return this.#dialog.localTag;
  }

  /** Binds the call to the transaction of its INVITE. */
  begin(transaction: Transaction): void {
    this.#transaction = transaction;
    transaction.user = {
      // A peer that follows RFC 2543 acknowledges a 2xx within the transaction of the INVITE.
      onMessage: (received) => isRequest(received) && this.#session?.takeAck(received),
      onFault: () => this.#apply('failed'),
    };
    this.#core.registerDialog(this.#dialog, this.#early);
    this.#limitInvitation();
  }

  /**
   * RFC 3261 section 13.3.1: once the time of Expires has passed, an INVITE without a final response SHOULD get 487. Its caller does
   * not wait any longer, as after a CANCEL.
   */
  #limitInvitation(): void {
    const seconds = /^\d{1,9}$/.exec(headerValue(this.#invite.message, 'Expires') ?? '')?.[0];
    if (seconds === undefined || Number(seconds) > LONGEST_INVITATION_SECONDS) return;
    this.#invitation = this.#core.after(Number(seconds) * 1000, () => {
      if (this.#state === 'arrived' || this.#state === 'ringing') this.#apply('remote-cancel');
    });
  }

  /** Sends 180; with `local`, an INVITE that requires our offer in it gets one. */
  ring(local: LocalMedia | null): void {
    this.#ringingMedia = local;
    this.#apply('ring');
  }

  /** Answers with media at `local`. The call ends with 488 if the offer contains no codec that we support. */
  answer(local: LocalMedia, acceptsRefer = false): void {
    if (this.#state !== 'arrived' && this.#state !== 'ringing') return;
    this.#acceptsRefer = acceptsRefer;
    this.#media = this.#early.media ?? new MediaNegotiation(local, this.#core.random);
    this.#answersAfterPrack = this.#early.mustWaitForPrack;
    if (!this.#answersAfterPrack) this.#apply('answer');
  }

  /** Rejects the call with a status of 300 to 699. */
  reject(status: number): void {
    if (this.#state !== 'arrived' && this.#state !== 'ringing') return;
    this.#refusalStatus = status;
    this.#apply('refuse');
  }

  /** Rejects with 480 before the answer and sends BYE after it. Does nothing once the call has ended. */
  hangUp(): void {
    this.#apply('hang-up');
  }

  /** Another process goes on with the call. Ignored before the answer. */
  abandon(): void {
    this.#apply('abandoned');
  }

  /** Transfers an answered call; in any other state the outcome is a refusal. */
  refer(request: ReferRequest): void {
    if (this.#session && this.#state === 'confirmed') this.#session.refer(request);
    else this.#report({ type: 'referred', outcome: NOT_IN_A_CALL });
  }

  answerRefer(status: number): void {
    this.#session?.answerRefer(status);
  }

  reportReferral(status: number): void {
    this.#session?.reportReferral(status);
  }

  /** Sends a key of an answered call as INFO. */
  sendKey(digit: string): void {
    if (this.#session && this.#state === 'confirmed') this.#session.sendKey(digit);
    else this.#report({ type: 'key-sent', status: null });
  }

  /** RFC 3891 section 3: an early dialog that the other side began cannot be replaced. */
  replaceableAs(replaces: Replaces): 'confirmed' | null {
    return this.#state === 'confirmed' && this.#session?.isNamedBy(replaces) ? 'confirmed' : null;
  }

  /** The caller's CANCEL. */
  cancelledByCaller(): void {
    this.#apply('remote-cancel');
  }

  #apply(event: InboundEvent): void {
    const step = INBOUND_TABLE[this.#state][event];
    if (!step) return;
    this.#state = step.next;
    for (const effect of step.effects) this.#perform(effect);
  }

  #perform(effect: InboundEffect): void {
    const byName: Record<InboundEffect, () => void> = {
      'send-ringing': () => this.#transaction && this.#early.ring(this.#transaction, this.#ringingMedia),
      'send-answer': () => this.#sendAnswer(),
      'send-refusal': () => this.#refuse(this.#refusalStatus),
      'send-terminated': () => this.#refuse(487),
      'report-answered': () => this.#reportAnswered(),
      'send-bye': () => this.#session?.bye(),
      'end-by-refusal': () => this.#end({ by: 'refusal', status: this.#refusalStatus }),
      'end-by-remote-cancel': () => this.#end({ by: 'remote-cancel' }),
      'end-by-no-ack': () => this.#end({ by: 'no-ack' }),
      'end-by-unusable-answer': () => this.#end({ by: 'unusable-answer' }),
      'end-by-local-bye': () => this.#end({ by: 'local-bye' }),
      'end-by-remote-bye': () => this.#end({ by: 'remote-bye' }),
      'end-by-expiry': () => this.#end({ by: 'session-expired' }),
      'end-by-transport': () => this.#end({ by: 'transport' }),
      'end-by-take-over': () => {
        this.#session?.close();
        this.#end({ by: 'taken-over' });
      },
    };
    byName[effect]();
  }

  #refuse(status: number): void {
    if (!this.#transaction) return;
    this.#core.respond(this.#transaction, status, { toTag: this.#dialog.localTag, headers: [ALLOW] });
  }

  #sendAnswer(): void {
    if (!this.#media || !this.#transaction) return;
    const hasAgreed = this.#early.media !== null;
    // The PRACK brought no answer to our offer that we can use.
    if (hasAgreed && this.#media.agreed === null) return this.#refuseMedia();
    this.#early.stop();
    this.#invitation?.cancel();
    const session = this.#openSession(this.#media);
    const headers = recordRoutes(this.#invite.message);
    const isAccepted = session.accept(this.#invite, this.#transaction, { headers, hasAgreed });
    if (isAccepted) return this.#reportMedia();
    session.close();
    this.#session = null;
    this.#refuseMedia();
  }

  #refuseMedia(): void {
    this.#refusalStatus = 488;
    this.#apply('refuse');
  }

  #openSession(media: MediaNegotiation): Session {
    this.#session = new Session(this.#core, {
      dialog: this.#dialog,
      media,
      // There are no credentials for inbound calls: a challenge to our BYE ends the exchange.
      authenticator: new Authenticator(null, this.#core.random),
      isCaller: false,
      acceptsRefer: this.#acceptsRefer,
      takePrack: (received, transaction) => this.#early.takePrack(received, transaction),
      owner: {
        onMediaChanged: () => this.#reportMedia(),
        onDialogChanged: () => this.#report({ type: 'dialog-changed', dialog: this.#stored() }),
        onReferred: (outcome) => this.#report({ type: 'referred', outcome }),
        onReferReceived: (target) => this.#report({ type: 'refer-received', target }),
        onKey: (key) => this.#report({ type: 'key', ...key }),
        onKeySent: (status) => this.#report({ type: 'key-sent', status }),
        onRemoteBye: () => this.#apply('remote-bye'),
        onAck: () => this.#takeAck(),
        onAckMissing: () => this.#apply('ack-missing'),
        onExpired: () => this.#apply('expired'),
      },
    });
    return this.#session;
  }

  #stored(): StoredDialog {
    return this.#session?.stored() ?? storeDialog(this.#dialog);
  }

  #takeAck(): void {
    this.#session?.confirm();
    this.#apply(this.#media?.agreed ? 'acknowledged' : 'unusable');
  }

  #reportAnswered(): void {
    this.#report({ type: 'answered', dialog: this.#stored() });
    for (const key of this.#earlyKeys.splice(0)) this.#report({ type: 'key', ...key });
  }

  #reportMedia(): void {
    if (this.#media?.agreed) this.#report({ type: 'media', agreed: this.#media.agreed });
  }

  #report(event: CallEvent): void {
    this.#owner.onEvent(event);
  }

  #end(end: CallEnd): void {
    this.#early.stop();
    this.#invitation?.cancel();
    if (!this.#session) this.#core.forgetDialog(this.#dialog);
    this.#report({ type: 'ended', end });
    this.#owner.onEnd();
  }
}
