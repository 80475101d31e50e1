/**
 * The session of one dialog: handles the far end's in-dialog requests and sends our BYE. Inbound and outbound calls share
 * it.
 */
import { ALLOW, type AgentCore, type DialogUser } from '../dialog/agent-core.ts';
import { AnswerRepetition } from '../dialog/answer-repetition.ts';
import type { Authenticator } from '../dialog/authentication.ts';
import type { Received } from '../message/destination.ts';
import { refreshTarget, type Dialog } from '../dialog/dialog.ts';
import { sendInDialog } from '../dialog/in-dialog-request.ts';
import { parseKeyInfo, writeKeyInfo } from '../media/key-info.ts';
import type { MediaNegotiation } from '../media/media-negotiation.ts';
import { bodyText, headerValue, textBody, type HeaderField, type SipRequest } from '../message/message.ts';
import { Refer, type ReferOutcome, type ReferRequest } from './refer.ts';
import { sessionDescription } from '../message/session-description.ts';
import type { Transaction } from '../transaction/transaction.ts';

/** Receives what a session reports. */
interface SessionOwner {
  /** The media moved, was put on hold or was resumed. */
  onMediaChanged(): void;
  /** The remote target or the local CSeq number has changed. */
  onDialogChanged(): void;
  /** The outcome of {@link Session.refer}. */
  onReferred(outcome: ReferOutcome): void;
  onKey(key: { digit: string; durationMs: number }): void;
  /** The outcome of {@link Session.sendKey}: the final status, or null without one. */
  onKeySent(status: number | null): void;
  onRemoteBye(): void;
  /** A 2xx of ours was acknowledged. */
  onAck(): void;
  /** A 2xx of ours was never acknowledged. */
  onAckMissing(): void;
}

/** The parts of a session. */
export interface SessionParts {
  dialog: Dialog;
  media: MediaNegotiation;
  authenticator: Authenticator;
  owner: SessionOwner;
}

const REQUEST_PENDING = 491;
const SDP_TYPE: HeaderField = { name: 'Content-Type', value: 'application/sdp' };

/** Early until confirmed, closed after BYE. */
export class Session implements DialogUser {
  readonly dialog: Dialog;
  readonly #core: AgentCore;
  readonly #parts: SessionParts;
  #phase: 'early' | 'confirmed' | 'closed' = 'early';
  #unacknowledged: AnswerRepetition | null = null;
  /** True while our 2xx carries an offer and its ACK must bring the answer. */
  #isAnswerInAck = false;
  #refer: Refer | null = null;

  constructor(core: AgentCore, parts: SessionParts) {
    this.#core = core;
    this.#parts = parts;
    this.dialog = parts.dialog;
    core.registerDialog(parts.dialog, this);
  }

  /** The dialog is confirmed; from now on the far end may change the media. */
  confirm(): void {
    if (this.#phase === 'early') this.#phase = 'confirmed';
  }

  /**
   * Answers an INVITE with 200 and retransmits it until the ACK arrives. The body is an SDP answer, or an offer if the
   * INVITE contained none. Returns false, without a response, when the offer contains no codec that we support.
   */
  accept(
    invite: Received<SipRequest>,
    transaction: Transaction,
    extra: readonly HeaderField[] = [],
  ): boolean {
    const sdp = this.#describe(invite);
    if (sdp === null) return false;
    const response = this.#core.response(transaction.request, 200, {
      toTag: this.dialog.localTag,
      headers: [...extra, this.#contact(), ALLOW, SDP_TYPE],
      body: textBody(sdp),
    });
    const { number: sequence } = invite.envelope.sequence;
    this.#unacknowledged = new AnswerRepetition(this.#core, { transaction, response, sequence }, () => {
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

  /** Ends the session without a BYE, because the far end has ended it. */
  close(): void {
    this.#stop();
    this.#core.forgetDialog(this.dialog);
  }

  takeAck(received: Received<SipRequest>): void {
    const repetition = this.#unacknowledged;
    if (!repetition || repetition.sequence !== received.envelope.sequence.number) return;
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
    else if (method === 'INFO') this.#takeInfo(received, transaction);
    else if (method === 'NOTIFY') this.#takeNotify(received, transaction);
    else this.#core.respond(transaction, method === 'OPTIONS' ? 200 : 405, { headers: [ALLOW] });
  }

  #takeBye(transaction: Transaction): void {
    this.#core.respond(transaction, 200);
    this.close();
    this.#parts.owner.onRemoteBye();
  }

  #takeReInvite(received: Received<SipRequest>, transaction: Transaction): void {
    if (this.#phase !== 'confirmed') return this.#core.respond(transaction, 491);
    if (this.#unacknowledged) return this.#refuseForNow(transaction);
    const hasMoved = refreshTarget(this.dialog, received);
    if (!this.accept(received, transaction)) return this.#core.respond(transaction, 488);
    this.#report(hasMoved, !this.#isAnswerInAck);
  }

  /**
   * RFC 3261 section 14.2: a second INVITE before the final response to the first gets 500 with "a Retry-After header
   * field with a randomly chosen value of between 0 and 10 seconds." The fixed 5 is our simplification.
   */
  #refuseForNow(transaction: Transaction): void {
    this.#core.respond(transaction, 500, { headers: [{ name: 'Retry-After', value: '5' }] });
  }

  /** UPDATE (RFC 3311 section 5.2): changes the session like a re-INVITE, or refreshes it when it carries no offer. */
  #takeUpdate(received: Received<SipRequest>, transaction: Transaction): void {
    const offer = sessionDescription(received.message);
    const isOffer = offer !== null;
    if (isOffer && this.#phase !== 'confirmed') return this.#core.respond(transaction, 491);
    if (isOffer && this.#unacknowledged) return this.#refuseForNow(transaction);
    const hasMoved = refreshTarget(this.dialog, received);
    const sdp = isOffer ? this.#parts.media.answer(offer) : '';
    if (sdp === null) return this.#core.respond(transaction, 488);
    const contact = this.#contact();
    const described = isOffer
      ? { headers: [contact, SDP_TYPE], body: textBody(sdp) }
      : { headers: [contact] };
    this.#core.respond(transaction, 200, described);
    this.#report(hasMoved, isOffer);
  }

  #takeInfo({ message }: Received<SipRequest>, transaction: Transaction): void {
    const key = parseKeyInfo(headerValue(message, 'Content-Type') ?? '', bodyText(message));
    const isUnderstood = key !== null || message.body.length === 0;
    this.#core.respond(transaction, isUnderstood ? 200 : 415);
    if (key) this.#parts.owner.onKey(key);
  }

  /** RFC 6665 section 4.1.3: a NOTIFY without a matching subscription gets 481. */
  #takeNotify(received: Received<SipRequest>, transaction: Transaction): void {
    if (!this.#refer?.takeNotify(received, transaction)) this.#core.respond(transaction, 481);
  }

  #contact(): HeaderField {
    return this.#core.contact(this.dialog.destination.transport, this.dialog.remoteTarget);
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
    this.#unacknowledged?.stop();
    this.#unacknowledged = null;
  }
}
