/**
 * The dialog of an inbound call before our answer: sends 180, reliably where the INVITE requires it (RFC 3262), and handles
 * PRACK, UPDATE and BYE.
 */
import { ALLOW, type AgentCore, type DialogUser } from '../dialog/agent-core.ts';
import { refreshTarget, type Dialog } from '../dialog/dialog.ts';
import { ResponseRetransmission } from '../dialog/response-retransmission.ts';
import { MediaNegotiation } from '../media/media-negotiation.ts';
import type { LocalMedia } from '../media/offer-answer.ts';
import { recordRoutes } from '../message/build-response.ts';
import type { Received } from '../message/destination.ts';
import { hasOption, RELIABLE } from '../message/extensions.ts';
import { SDP_TYPE, textBody, type HeaderField, type SipRequest } from '../message/message.ts';
import { isAcknowledging, reliableFields } from '../message/reliability.ts';
import { sessionDescription } from '../message/session-description.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { CAPABILITIES } from '../message/request-checks.ts';
import { answerInfo, type KeyInfo } from './info.ts';
import { refuseForNow } from './refusals.ts';

const REQUEST_PENDING = 491;
const METHOD_NOT_ALLOWED = 405;
const NO_SUBSCRIPTION = 481;

/** The INVITE of the dialog, and the listeners. */
export interface EarlyDialogParts {
  dialog: Dialog;
  invite: Received<SipRequest>;
  onBye: () => void;
  onKey: (key: KeyInfo) => void;
  /** The PRACK of our response arrived. */
  onAcknowledged: () => void;
  /** It did not arrive in time. */
  onPrackMissing: () => void;
}

/** Whether 180 must contain our offer: it has to be sent reliably, and the INVITE has none (RFC 3262 section 5). */
export function mustOfferInRinging(invite: SipRequest): boolean {
  return hasOption(invite, 'Require', RELIABLE) && sessionDescription(invite) === null;
}

/** One per inbound call, from the INVITE to our final response; a late PRACK is handled after that, too. */
export class EarlyDialog implements DialogUser {
  readonly #core: AgentCore;
  readonly #parts: EarlyDialogParts;
  #media: MediaNegotiation | null = null;
  /** The RSeq of our response that has no PRACK yet. */
  #unacknowledged: number | null = null;
  #repetition: ResponseRetransmission | null = null;

  constructor(core: AgentCore, parts: EarlyDialogParts) {
    this.#core = core;
    this.#parts = parts;
  }

  /** The negotiation that our offer in a provisional response has begun, null without one. */
  get media(): MediaNegotiation | null {
    return this.#media;
  }

  /**
   * RFC 3262 section 3: no 2xx may be sent while a reliable response with a session description is unacknowledged.
   */
  get mustWaitForPrack(): boolean {
    return this.#unacknowledged !== null && this.#media !== null;
  }

  /**
   * Sends 180. An INVITE that {@link mustOfferInRinging} gets one only with `local`, the media of our offer: without it the
   * caller has 100 Trying, and that suffices.
   */
  ring(transaction: Transaction, local: LocalMedia | null): void {
    const { dialog, invite } = this.#parts;
    const headers = [this.#contact(), ...recordRoutes(invite.message), ALLOW];
    const toTag = dialog.localTag;
    if (!hasOption(invite.message, 'Require', RELIABLE)) {
      return this.#core.respond(transaction, 180, { toTag, headers });
    }
    const isOffer = mustOfferInRinging(invite.message);
    if (isOffer && !local) return;
    if (isOffer && local) this.#media = new MediaNegotiation(local, this.#core.random);
    const described = this.#media ? { body: textBody(this.#media.offer()) } : {};
    // Section 3: the first RSeq is "chosen uniformly between 1 and 2**31 - 1".
    this.#unacknowledged = Buffer.from(this.#core.random(4)).readUInt32BE() >>> 1 || 1;
    const reliable: HeaderField[] = [...headers, ...reliableFields(this.#unacknowledged)];
    const response = this.#core.response(transaction.request, 180, {
      toTag,
      headers: this.#media ? [...reliable, SDP_TYPE] : reliable,
      ...described,
    });
    this.#repetition = new ResponseRetransmission(
      this.#core,
      { transaction, event: 'provisional', response, number: this.#unacknowledged },
      this.#parts.onPrackMissing,
    );
  }

  /** A final response was sent: section 3 asks us not to repeat the provisional one any more. */
  stop(): void {
    this.#repetition?.stop();
  }

  takeAck(): void {
    // Before our 2xx there is nothing that an ACK could acknowledge.
  }

  takeRequest(received: Received<SipRequest>, transaction: Transaction): void {
    const { dialog, onBye, onKey } = this.#parts;
    const { message, envelope } = received;
    const { number } = envelope.sequence;
    if (number <= (dialog.remoteSequence ?? -1)) return this.#core.respond(transaction, 500);
    dialog.remoteSequence = number;
    if (message.method === 'PRACK') return this.takePrack(received, transaction);
    if (message.method === 'UPDATE') return this.#takeUpdate(received, transaction);
    if (message.method === 'BYE') {
      this.#core.respond(transaction, 200);
      return onBye();
    }
    // RFC 3261 section 14.2 demands 500 for an INVITE that arrives before the final response to the first one.
    if (message.method === 'INVITE') return refuseForNow(this.#core, transaction);
    if (message.method === 'OPTIONS')
      return this.#core.respond(transaction, 200, { headers: [ALLOW, ...CAPABILITIES] });
    if (message.method === 'INFO') {
      const key = answerInfo(this.#core, received, transaction);
      return key ? onKey(key) : undefined;
    }
    // A NOTIFY belongs to a REFER, and we have sent none yet.
    if (message.method === 'NOTIFY') return this.#core.respond(transaction, NO_SUBSCRIPTION);
    this.#core.respond(transaction, METHOD_NOT_ALLOWED, { headers: [ALLOW] });
  }

  /** Takes a PRACK with a CSeq number in order. Without a matching response of ours it gets 481. */
  takePrack({ message }: Received<SipRequest>, transaction: Transaction): void {
    const { number: sequence } = this.#parts.invite.envelope.sequence;
    const number = this.#unacknowledged;
    if (number === null || !isAcknowledging(message, number, sequence)) {
      return this.#core.respond(transaction, 481);
    }
    this.#unacknowledged = null;
    this.#repetition?.stop();
    const description = sessionDescription(message);
    if (this.#media && this.#media.agreed === null) {
      this.#media.takeAnswer(description ?? '');
      this.#core.respond(transaction, 200);
    } else if (description === null) this.#core.respond(transaction, 200);
    else this.#answer(description, transaction);
    this.#parts.onAcknowledged();
  }

  /** RFC 3311 section 5.2: 491 while our offer has no answer, 500 while the offer of the INVITE has none. */
  #takeUpdate(received: Received<SipRequest>, transaction: Transaction): void {
    const offer = sessionDescription(received.message);
    if (offer !== null && !this.#media?.agreed) {
      if (sessionDescription(this.#parts.invite.message) !== null)
        return refuseForNow(this.#core, transaction);
      return this.#core.respond(transaction, REQUEST_PENDING);
    }
    refreshTarget(this.#parts.dialog, received);
    if (offer !== null) return this.#answer(offer, transaction);
    this.#core.respond(transaction, 200, { headers: [this.#contact(), ALLOW] });
  }

  #answer(offer: string, transaction: Transaction): void {
    const answer = this.#media?.agreed ? this.#media.answer(offer) : null;
    if (answer === null) return this.#core.respond(transaction, 488);
    const headers = [this.#contact(), ALLOW, SDP_TYPE];
    this.#core.respond(transaction, 200, { headers, body: textBody(answer) });
  }

  #contact(): HeaderField {
    const { destination, remoteTarget } = this.#parts.dialog;
    return this.#core.contact(destination, remoteTarget);
  }
}
