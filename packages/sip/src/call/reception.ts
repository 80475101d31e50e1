/**
 * Handles a message on arrival: parses it, dispatches it to its transaction, dialog or call, and answers it with the
 * right error otherwise (RFC 3261 sections 8.2 and 18).
 */
import type { AgentAction, CallNumber } from './agent-actions.ts';
import { ALLOW, ALLOWED_METHODS, type AgentCore } from '../dialog/agent-core.ts';
import { dialogFromResponse, storeDialog, type StoredDialog } from '../dialog/dialog.ts';
import {
  defaultPort,
  isRequest,
  isResponse,
  type Destination,
  type Received,
  type TransportName,
} from '../message/destination.ts';
import { addressFor } from '../message/own-address.ts';
import { readEnvelope } from '../message/envelope.ts';
import { InboundCall } from './inbound-call.ts';
import { mustOfferInRinging } from './early-dialog.ts';
import { refuseInterval } from './refusals.ts';
import { decideInterval } from './session-timer.ts';
import { answerableRequest, requestOf, withCompleteVia } from '../message/answerable-request.ts';
import type { SipMessage, SipRequest, SipResponse } from '../message/message.ts';
import { CODECS } from '../media/codecs.ts';
import { answerOffer, type EncryptionPolicy } from '../media/offer-answer.ts';
import { SipParseError } from '../message/parse-error.ts';
import { replacesOf, type Replaces } from '../message/replaces.ts';
import { parseMessage } from '../message/parse-message.ts';
import { hopBehind } from '../message/stateless-proxy.ts';
import { CAPABILITIES, checkRequest } from '../message/request-checks.ts';
import { sessionDescription } from '../message/session-description.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { responseDestination } from '../transaction/transaction-layer.ts';

/** A call that an INVITE is to replace. */
export interface ReplacedCall {
  number: CallNumber;
  phase: 'confirmed' | 'early';
}

/** Keeps the calls of the agent and reports what happens to them. */
export interface CallRegister {
  emit(action: AgentAction): void;
  nextNumber(): CallNumber;
  add(number: CallNumber, call: InboundCall): void;
  remove(number: CallNumber): void;
  /** The call that a Replaces names. */
  find(replaces: Replaces): ReplacedCall | null;
}

const DEFAULT_MAX_SERVER_TRANSACTIONS = 50_000;

/** One per agent. */
export class Reception {
  isDraining = false;
  readonly #core: AgentCore;
  readonly #register: CallRegister;
  /** INVITE transactions not yet finally answered, by the key of their transaction. */
  readonly #cancellable = new Map<string, InboundCall>();
  #dropped = 0;

  constructor(core: AgentCore, register: CallRegister) {
    this.#core = core;
    this.#register = register;
  }

  /** How many messages were dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Handles one message. Throws only on an internal error. */
  receive(input: Uint8Array | string, source: Destination): void {
    const received = this.#read(input, source);
    if (!received) return;
    if (isResponse(received)) this.#takeResponse(received);
    else if (isRequest(received)) this.#takeRequest(received);
  }

  /**
   * RFC 3261 section 8.1.3.3: "If more than one Via header field value is present in a response, the UAC SHOULD discard the
   * message."
   */
  #takeResponse(received: Received<SipResponse>): void {
    if (received.envelope.viaCount > 1) this.#dropped += 1;
    else if (!this.#core.transactions.takeResponse(received)) this.#takeStray(received);
  }

  /**
   * RFC 3261 section 13.2.2.4: "The UAC core MUST generate an ACK request for each 2xx received from the transaction
   * layer." After a restart the INVITE is unknown here, but its far end may have answered; the application decides.
   */
  #takeStray(received: Received<SipResponse>): void {
    const { message, envelope, source } = received;
    const { sequence, topVia, fromTag, toTag } = envelope;
    const address = addressFor(this.#core.options.address, source.transport);
    const viaPort = topVia.port ?? defaultPort(source.transport);
    const isOurs = topVia.host === address.host && viaPort === address.port;
    const isAnswer = sequence.method === 'INVITE' && message.status >= 200 && message.status < 300;
    const isForgotten =
      fromTag !== null && toTag !== null && !this.#core.hasDialog(envelope.callId, fromTag, toTag);
    const dialog = isAnswer && isOurs && isForgotten ? strayDialog(received) : null;
    if (dialog) this.#register.emit({ type: 'stray-answer', answer: { dialog, source } });
    else this.#dropped += 1;
  }

  #read(input: Uint8Array | string, source: Destination): Received | null {
    let message: SipMessage | null = null;
    try {
      message = parseMessage(input, source.transport);
      if (message.kind === 'request') message = withCompleteVia(message, source);
      const received = { message, envelope: readEnvelope(message), source };
      return this.#isFromFront(source)
        ? { ...received, behind: hopBehind(message.headers) ?? undefined }
        : received;
    } catch (error) {
      if (!(error instanceof SipParseError)) throw error;
      this.#dropped += 1;
      const request = message?.kind === 'request' ? message : requestOf(error);
      if (request) this.#refuseBroken(request, error, source);
      return null;
    }
  }

  #isFromFront({ host, port }: Destination): boolean {
    const { front } = this.#core.options;
    return front?.host === host && front.port === port;
  }

  /** Answers a malformed request with 400, 413 or 505 if its Via can be read; drops it otherwise. */
  #refuseBroken(broken: SipRequest, { status, message: fault }: SipParseError, source: Destination): void {
    const answerable = answerableRequest(broken, source);
    if (!answerable) return;
    this.#core.send(this.#core.response(answerable.request, status, { fault }), answerable.destination, null);
  }

  #takeRequest(received: Received<SipRequest>): void {
    const { transactions } = this.#core;
    if (transactions.takeRequest(received)) return;
    const { method } = received.message;
    if (method === 'ACK') return this.#core.findDialog(received)?.takeAck(received);
    const limit = this.#core.options.maxServerTransactions ?? DEFAULT_MAX_SERVER_TRANSACTIONS;
    if (transactions.serverCount >= limit) return this.#refuseStateless(received, 503);
    const isMerged = method !== 'CANCEL' && transactions.isMerged(received);
    this.#handle(received, transactions.startServer(received, {}), isMerged);
  }

  #refuseStateless(received: Received<SipRequest>, status: number): void {
    this.#core.send(this.#core.response(received.message, status), responseDestination(received), null);
  }

  /** Every request gets a final response, including one whose handling fails. */
  #handle(received: Received<SipRequest>, transaction: Transaction, isMerged: boolean): void {
    try {
      // RFC 3261 section 8.2.2.2: for the same From tag, Call-ID and CSeq in another transaction, "the UAS core SHOULD
      // generate a 482 (Loop Detected) response and pass it to the server transaction."
      if (isMerged) return this.#core.respond(transaction, 482);
      const refusal = checkRequest(received.message, methodsOf(received), transportOf(received));
      if (refusal) return this.#core.respond(transaction, refusal.status, { headers: refusal.headers });
      this.#dispatch(received, transaction);
    } catch (error) {
      if (error instanceof SipParseError)
        return this.#core.respond(transaction, error.status, { fault: error.message });
      this.#core.respond(transaction, 500);
      throw error;
    }
  }

  #dispatch(received: Received<SipRequest>, transaction: Transaction): void {
    const { method } = received.message;
    if (method === 'CANCEL') return this.#takeCancel(received, transaction);
    if (received.envelope.toTag !== null) {
      const dialog = this.#core.findDialog(received);
      return dialog ? dialog.takeRequest(received, transaction) : this.#core.respond(transaction, 481);
    }
    if (method === 'INVITE') return this.#takeInvite(received, transaction);
    if (method !== 'OPTIONS') return this.#core.respond(transaction, 481);
    this.#core.respond(transaction, this.isDraining ? 503 : 200, { headers: [ALLOW, ...CAPABILITIES] });
  }

  /**
   * RFC 3261 section 9.2: without a matching transaction the UAS "SHOULD respond to the CANCEL with a 481". A known INVITE
   * gets 200 for its CANCEL, even if it has been answered already. "the To tag of the response to the CANCEL and the To tag in the
   * response to the original request SHOULD be the same."
   */
  #takeCancel(received: Received<SipRequest>, transaction: Transaction): void {
    const invite = this.#core.transactions.findCancelled(received);
    if (!invite) return this.#core.respond(transaction, 481);
    const call = this.#cancellable.get(invite.key);
    this.#core.respond(transaction, 200, call ? { toTag: call.localTag } : {});
    call?.cancelledByCaller();
  }

  /**
   * RFC 3891 section 3: without a matching dialog "the UA MUST reject the INVITE with a 481", and a confirmed dialog with
   * `early-only` "MUST" get 486 (Busy Here).
   *
   * @returns a status that refuses the INVITE, or the call that it replaces, or null without Replaces
   */
  #replacedBy({ message }: Received<SipRequest>): ReplacedCall | number | null {
    const replaces = replacesOf(message);
    if (!replaces) return null;
    const found = this.#register.find(replaces);
    if (!found) return 481;
    return found.phase === 'confirmed' && replaces.isEarlyOnly ? 486 : found;
  }

  #takeInvite(received: Received<SipRequest>, transaction: Transaction): void {
    const replaced = this.#replacedBy(received);
    if (typeof replaced === 'number') return this.#core.respond(transaction, replaced);
    // An INVITE that replaces a call adds none.
    if (this.isDraining && !replaced) return this.#core.respond(transaction, 503);
    // Which codecs its trunk allows is known when the application answers, too.
    const local = { host: this.#core.options.address.host, port: 0, codecs: CODECS };
    const offer = sessionDescription(received.message);
    // Whether its media must be encrypted is known when the application answers.
    const isAcceptable = (encryption: EncryptionPolicy): boolean =>
      offer === null || answerOffer(offer, { ...local, encryption }).isAcceptable;
    if (!isAcceptable('none') && !isAcceptable('required')) return this.#core.respond(transaction, 488);
    if (decideInterval(received.message, this.#core.sessionTimer, null).isTooSmall) {
      return refuseInterval(this.#core, transaction);
    }
    const number = this.#register.nextNumber();
    const call = new InboundCall(this.#core, received, {
      onEvent: (event) => this.#register.emit({ type: 'call', call: number, event }),
      onEnd: () => {
        this.#register.remove(number);
        this.#cancellable.delete(transaction.key);
      },
    });
    this.#core.respond(transaction, 100);
    call.begin(transaction);
    this.#cancellable.set(transaction.key, call);
    this.#register.add(number, call);
    this.#announce(number, received, replaced?.number ?? null);
  }

  #announce(
    number: CallNumber,
    { message, envelope, source }: Received<SipRequest>,
    replaces: CallNumber | null,
  ): void {
    this.#register.emit({
      type: 'incoming',
      call: number,
      incoming: {
        callId: envelope.callId,
        fromTag: envelope.fromTag ?? '',
        sequence: envelope.sequence.number,
        fromUri: envelope.from.uri,
        fromName: envelope.from.displayName,
        toUri: envelope.to.uri,
        requestUri: message.uri,
        source,
        headers: message.headers,
        mustOfferInRinging: mustOfferInRinging(message),
        replaces,
      },
    });
  }
}

/** Within a dialog, the session decides about REFER. */
/** The transport that the sender has used, which may have been our own proxy's. */
function transportOf({ behind, source }: Received<SipRequest>): TransportName {
  return (behind ?? source).transport;
}

function methodsOf({ message, envelope }: Received<SipRequest>): readonly string[] {
  const isDecidedLater = message.method === 'REFER' && envelope.toTag !== null;
  return isDecidedLater ? [...ALLOWED_METHODS, 'REFER'] : ALLOWED_METHODS;
}

/** @returns null when its Contact or Record-Route is malformed */
function strayDialog(received: Received<SipResponse>): StoredDialog | null {
  try {
    return storeDialog(dialogFromResponse(received.envelope.to.uri, received));
  } catch (error) {
    if (error instanceof SipParseError) return null;
    throw error;
  }
}
