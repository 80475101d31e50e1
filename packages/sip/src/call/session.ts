/**
 * The session of one dialog: handles the far end's in-dialog requests, keeps the session alive, and sends our BYE.
 * Inbound and outbound calls share it.
 */
import { ALLOW, ALLOW_REFER, type AgentCore, type DialogUser } from '../dialog/agent-core.ts';
import { ResponseRetransmission } from '../dialog/response-retransmission.ts';
import type { Authenticator } from '../dialog/authentication.ts';
import type { Received } from '../message/destination.ts';
import { SUPPORTED } from '../message/extensions.ts';
import { dialogKey, refreshTarget, storeDialog, type Dialog, type StoredDialog } from '../dialog/dialog.ts';
import { sendInDialog } from '../dialog/in-dialog-request.ts';
import { writeKeyInfo } from '../media/key-info.ts';
import type { MediaNegotiation } from '../media/media-negotiation.ts';
import {
  SDP_TYPE,
  textBody,
  type HeaderField,
  type SipRequest,
  type SipResponse,
} from '../message/message.ts';
import { CAPABILITIES } from '../message/request-checks.ts';
import { answerInfo, type KeyInfo } from './info.ts';
import { refuseForNow, refuseInterval } from './refusals.ts';
import { Refer, type ReferOutcome, type ReferRequest } from './refer.ts';
import { referTargetOf, type ReferTarget } from './refer-target.ts';
import { Referral } from './referral.ts';
import { SessionRefresh } from './session-refresh.ts';
import { agreedInterval, answerFields, decideInterval, type IntervalDecision } from './session-timer.ts';
import { sessionDescription } from '../message/session-description.ts';
import type { Replaces } from '../message/replaces.ts';
import type { Transaction } from '../transaction/transaction.ts';

/** Receives what a session reports. */
interface SessionOwner {
  /** The media moved, was put on hold or was resumed. */
  onMediaChanged(): void;
  /** The remote target or the local CSeq number has changed. */
  onDialogChanged(): void;
  /** The outcome of {@link Session.refer}. */
  onReferred(outcome: ReferOutcome): void;
  /** The far end refers us to another party; waits for {@link Session.answerRefer}. */
  onReferReceived(target: ReferTarget): void;
  onKey(key: KeyInfo): void;
  /** The outcome of {@link Session.sendKey}: the final status, or null without one. */
  onKeySent(status: number | null): void;
  onRemoteBye(): void;
  /** A 2xx of ours was acknowledged. */
  onAck(): void;
  /** A 2xx of ours was never acknowledged. */
  onAckMissing(): void;
  /** The session was not refreshed in time. */
  onExpired(): void;
}

/** The parts of a session. */
export interface SessionParts {
  dialog: Dialog;
  media: MediaNegotiation;
  authenticator: Authenticator;
  /** True if we sent the INVITE that opened the dialog. */
  isCaller: boolean;
  /** Takes the PRACK of a response of ours that the answer has overtaken; without it, there is none. */
  takePrack?: (received: Received<SipRequest>, transaction: Transaction) => void;
  /** Default: REFER gets 405. */
  acceptsRefer?: boolean | undefined;
  owner: SessionOwner;
}

/** How a 2xx of ours differs from the answer to a re-INVITE. */
export interface AcceptOptions {
  headers?: readonly HeaderField[];
  /** True if offer and answer have been exchanged in a provisional response and its PRACK: the 2xx has no body. */
  hasAgreed?: boolean;
}

const REQUEST_PENDING = 491;

/** Early until confirmed, closed after BYE. */
export class Session implements DialogUser {
  readonly dialog: Dialog;
  readonly #core: AgentCore;
  readonly #parts: SessionParts;
  readonly #refresh: SessionRefresh;
  #phase: 'early' | 'confirmed' | 'closed' = 'early';
  #unacknowledged: ResponseRetransmission | null = null;
  /** True while our 2xx carries an offer and its ACK must bring the answer. */
  #isAnswerInAck = false;
  #refer: Refer | null = null;
  #referral: Referral | null = null;

  constructor(core: AgentCore, parts: SessionParts) {
    this.#core = core;
    this.#parts = parts;
    this.dialog = parts.dialog;
    const { dialog, media, authenticator, isCaller, owner } = parts;
    this.#refresh = new SessionRefresh(core, {
      dialog,
      media,
      authenticator,
      isCaller,
      allow: this.#allow,
      onSent: () => owner.onDialogChanged(),
      onMediaChanged: () => owner.onMediaChanged(),
      onExpired: () => owner.onExpired(),
    });
    core.registerDialog(dialog, this);
  }

  /** True for the dialog that a Replaces names (RFC 3891 section 3). */
  isNamedBy({ callId, localTag, remoteTag }: Replaces): boolean {
    const { dialog } = this;
    return (
      dialogKey(callId, localTag, remoteTag) === dialogKey(dialog.callId, dialog.localTag, dialog.remoteTag)
    );
  }

  /** True after BYE. */
  get isClosed(): boolean {
    return this.#phase === 'closed';
  }

  /** For another process that is to go on with the call, or to end it. */
  stored(): StoredDialog {
    return { ...storeDialog(this.dialog), description: this.#parts.media.stored() };
  }

  /** Takes over the confirmed dialog of a lost process, see {@link SessionRefresh.resume}. */
  resume(onOutcome: (status: number | null) => void): void {
    this.confirm();
    this.#refresh.resume(onOutcome);
  }

  /** The dialog is confirmed; from now on the far end may change the media. */
  confirm(): void {
    if (this.#phase === 'early') this.#phase = 'confirmed';
  }

  /** The far end has answered our INVITE: the session lasts as long as its 2xx says. */
  confirmedBy(response: SipResponse): void {
    this.confirm();
    this.#refresh.learn(response);
    this.#refresh.restart(agreedInterval(response, this.#core.sessionTimer));
  }

  /**
   * Answers an INVITE with 200 and retransmits it until the ACK arrives. The body is an SDP answer, or an offer if the
   * INVITE contained none. Returns false, without a response, when the offer contains no codec that we support.
   */
  accept(
    invite: Received<SipRequest>,
    transaction: Transaction,
    { headers = [], hasAgreed = false }: AcceptOptions = {},
  ): boolean {
    const sdp = hasAgreed ? '' : this.#describe(invite);
    if (sdp === null) return false;
    const contact = this.#contact();
    const timer = this.#takeInterval(invite, this.#decideInterval(invite));
    const response = this.#core.response(transaction.request, 200, {
      toTag: this.dialog.localTag,
      headers: [...headers, contact, this.#allow, SUPPORTED, ...timer, ...(sdp === '' ? [] : [SDP_TYPE])],
      body: textBody(sdp),
    });
    const { number } = invite.envelope.sequence;
    const answer = { transaction, event: 'success', response, number } as const;
    this.#unacknowledged = new ResponseRetransmission(this.#core, answer, () => {
      this.#unacknowledged = null;
      this.#parts.owner.onAckMissing();
    });
    return true;
  }

  /** Starts a blind transfer. A second one is refused with 491 while the first is in progress. */
  refer(request: ReferRequest): void {
    const { dialog, authenticator, owner } = this.#parts;
    if (this.#phase !== 'confirmed' || this.#refer?.isOver === false)
      return owner.onReferred({ result: 'refusal', status: REQUEST_PENDING });
    const onOutcome = (outcome: ReferOutcome): void => owner.onReferred(outcome);
    const parts = { dialog, authenticator, onSent: () => owner.onDialogChanged(), onOutcome };
    this.#refer = new Refer(this.#core, parts, request);
  }

  /** Answers the REFER of the far end: 202, or a refusal. */
  answerRefer(status: number): void {
    this.#referral?.answer(status);
  }

  /** The final status of the call to which the far end has referred us. */
  reportReferral(status: number): void {
    this.#referral?.report(status);
  }

  /** Sends a DTMF key as INFO. */
  sendKey(digit: string): void {
    const { dialog, authenticator, owner } = this.#parts;
    if (this.#phase !== 'confirmed') return owner.onKeySent(null);
    const { header, body } = writeKeyInfo(digit);
    const onSent = (): void => owner.onDialogChanged();
    const request = {
      dialog,
      authenticator,
      method: 'INFO',
      headers: [header],
      body: textBody(body),
      onSent,
    };
    sendInDialog(this.#core, request, (status) => owner.onKeySent(status));
  }

  /** Sends BYE and forgets the dialog once the BYE is answered or has timed out. */
  bye(): void {
    if (this.#phase === 'closed') return;
    this.#stop();
    const { authenticator } = this.#parts;
    const request = { dialog: this.dialog, authenticator, method: 'BYE' };
    sendInDialog(this.#core, request, () => this.#core.forgetDialog(this.dialog));
  }

  /** Ends the session without a BYE: the far end has ended it, or another process goes on with it. */
  close(): void {
    this.#stop();
    this.#core.forgetDialog(this.dialog);
  }

  takeAck(received: Received<SipRequest>): void {
    const repetition = this.#unacknowledged;
    if (!repetition || repetition.number !== received.envelope.sequence.number) return;
    repetition.stop();
    this.#unacknowledged = null;
    if (this.#isAnswerInAck && this.#parts.media.takeAnswer(sessionDescription(received.message) ?? '')) {
      this.#parts.owner.onMediaChanged();
    }
    this.#isAnswerInAck = false;
    this.#parts.owner.onAck();
  }

  takeRequest(received: Received<SipRequest>, transaction: Transaction): void {
    const { method } = received.message;
    const { number } = received.envelope.sequence;
    // RFC 3261 section 12.2.2: "if [...] the sequence number of the request is lower than the remote sequence number, the
    // request is out of order and MUST be rejected with a 500 (Server Internal Error) response."
    if (this.dialog.remoteSequence !== null && number <= this.dialog.remoteSequence) {
      return this.#core.respond(transaction, 500);
    }
    this.dialog.remoteSequence = number;
    if (this.#phase === 'closed') return this.#core.respond(transaction, method === 'BYE' ? 200 : 481);
    if (method === 'BYE') this.#takeBye(transaction);
    else if (method === 'INVITE') this.#takeReInvite(received, transaction);
    else if (method === 'UPDATE') this.#takeUpdate(received, transaction);
    else if (method === 'PRACK') this.#takePrack(received, transaction);
    else if (method === 'INFO') this.#takeInfo(received, transaction);
    else if (method === 'NOTIFY') this.#takeNotify(received, transaction);
    else if (method === 'REFER' && this.#parts.acceptsRefer) this.#takeRefer(received, transaction);
    else if (method === 'OPTIONS')
      this.#core.respond(transaction, 200, { headers: [this.#allow, ...CAPABILITIES] });
    else this.#core.respond(transaction, 405, { headers: [this.#allow] });
  }

  get #allow(): HeaderField {
    return this.#parts.acceptsRefer ? ALLOW_REFER : ALLOW;
  }

  #takeBye(transaction: Transaction): void {
    this.#core.respond(transaction, 200);
    this.close();
    this.#parts.owner.onRemoteBye();
  }

  #takeReInvite(received: Received<SipRequest>, transaction: Transaction): void {
    if (this.#phase !== 'confirmed') return this.#core.respond(transaction, REQUEST_PENDING);
    // Section 14.2: "A UAS that receives an INVITE on a dialog while an INVITE it had sent on that dialog is in progress MUST
    // return a 491 (Request Pending) response".
    if (this.#refresh.isReInviting) return this.#core.respond(transaction, REQUEST_PENDING);
    if (this.#unacknowledged) return refuseForNow(this.#core, transaction);
    if (this.#decideInterval(received).isTooSmall) return refuseInterval(this.#core, transaction);
    const hasMoved = refreshTarget(this.dialog, received);
    if (!this.accept(received, transaction)) return this.#core.respond(transaction, 488);
    this.#report(hasMoved, !this.#isAnswerInAck);
  }

  /** UPDATE (RFC 3311 section 5.2): changes the session like a re-INVITE, or refreshes it when it carries no offer. */
  #takeUpdate(received: Received<SipRequest>, transaction: Transaction): void {
    const offer = sessionDescription(received.message);
    const isOffer = offer !== null;
    if (isOffer && this.#awaitsAnswer()) return this.#core.respond(transaction, REQUEST_PENDING);
    if (isOffer && this.#unacknowledged) return refuseForNow(this.#core, transaction);
    const decision = this.#decideInterval(received);
    if (decision.isTooSmall) return refuseInterval(this.#core, transaction);
    const hasMoved = refreshTarget(this.dialog, received);
    const sdp = isOffer ? this.#parts.media.answer(offer) : '';
    if (sdp === null) return this.#core.respond(transaction, 488);
    const headers = [this.#contact(), this.#allow, SUPPORTED, ...this.#takeInterval(received, decision)];
    const described = isOffer ? { headers: [...headers, SDP_TYPE], body: textBody(sdp) } : { headers };
    this.#core.respond(transaction, 200, described);
    this.#report(hasMoved, isOffer);
  }

  /** RFC 3311 section 5.2: an offer gets 491 while the answer to an offer of ours is outstanding. */
  #awaitsAnswer(): boolean {
    if (this.#phase === 'early') return this.#parts.media.agreed === null;
    return this.#refresh.isReInviting || (this.#unacknowledged !== null && this.#isAnswerInAck);
  }

  #decideInterval({ message }: Received<SipRequest>): IntervalDecision {
    return decideInterval(message, this.#core.sessionTimer, this.#refresh.interval);
  }

  /** The session lasts as long as we answer; in an early dialog there is no session yet. */
  #takeInterval({ message }: Received<SipRequest>, decision: IntervalDecision): HeaderField[] {
    this.#refresh.learn(message);
    const isEarlyUpdate = this.#phase === 'early' && message.method === 'UPDATE';
    if (isEarlyUpdate || decision.isTooSmall) return [];
    this.#refresh.restart(decision.interval);
    return answerFields(decision.interval);
  }

  /** RFC 3262 section 3: a PRACK that matches no reliable response gets 481. */
  #takePrack(received: Received<SipRequest>, transaction: Transaction): void {
    const { takePrack } = this.#parts;
    if (takePrack) takePrack(received, transaction);
    else this.#core.respond(transaction, 481);
  }

  #takeInfo(received: Received<SipRequest>, transaction: Transaction): void {
    const key = answerInfo(this.#core, received, transaction);
    if (key) this.#parts.owner.onKey(key);
  }

  /** RFC 6665 section 4.1.3: a NOTIFY without a matching subscription gets 481. */
  #takeNotify(received: Received<SipRequest>, transaction: Transaction): void {
    if (!this.#refer?.takeNotify(received, transaction)) this.#core.respond(transaction, 481);
  }

  /** One at a time: a second one would be a second call for the same party. */
  #takeRefer({ message, envelope }: Received<SipRequest>, transaction: Transaction): void {
    const { dialog, authenticator, owner } = this.#parts;
    const target = referTargetOf(message, dialog);
    if (this.#phase !== 'confirmed' || this.#referral?.isOver === false)
      return refuseForNow(this.#core, transaction);
    const id = this.#referral ? envelope.sequence.number : null;
    const onSent = (): void => owner.onDialogChanged();
    this.#referral = new Referral(this.#core, transaction, { dialog, authenticator, onSent, id });
    owner.onReferReceived(target);
  }

  #contact(): HeaderField {
    return this.#core.contact(this.dialog.destination, this.dialog.remoteTarget);
  }

  #describe(invite: Received<SipRequest>): string | null {
    const { media } = this.#parts;
    const offer = sessionDescription(invite.message);
    this.#isAnswerInAck = offer === null;
    return offer === null ? media.offer() : media.answer(offer);
  }

  #report(hasMoved: boolean, hasNewSound: boolean): void {
    if (hasMoved) this.#parts.owner.onDialogChanged();
    if (hasNewSound) this.#parts.owner.onMediaChanged();
  }

  #stop(): void {
    this.#phase = 'closed';
    this.#refer?.close();
    this.#referral?.close();
    this.#refresh.stop();
    this.#unacknowledged?.stop();
    this.#unacknowledged = null;
  }
}
