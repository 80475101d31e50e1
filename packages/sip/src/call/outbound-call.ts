/**
 * Drives an outbound call through its state table: INVITE, challenges, forks, CANCEL, and the session after the answer.
 */
import type { CallEnd, CallEvent, CallOwner } from './agent-actions.ts';
import { ALLOW, type AgentCore } from '../dialog/agent-core.ts';
import { Authenticator } from '../dialog/authentication.ts';
import { buildRequest, cancelFor } from '../message/build-request.ts';
import { isResponse, type Destination, type Received } from '../message/destination.ts';
import type { Credentials } from '../message/digest.ts';
import { dialogFromResponse, requestInDialog, storeDialog, type Dialog } from '../dialog/dialog.ts';
import { MAX_FORKS } from '../message/limits.ts';
import { MediaNegotiation } from '../media/media-negotiation.ts';
import {
  headerValues,
  textBody,
  type HeaderField,
  type SipRequest,
  type SipResponse,
} from '../message/message.ts';
import { nameAddr } from '../message/name-addr.ts';
import type { LocalMedia } from '../media/offer-answer.ts';
import {
  OUTBOUND_TABLE,
  type OutboundEffect,
  type OutboundEvent,
  type OutboundState,
} from './outbound-call.rules.ts';
import { SipParseError } from '../message/parse-error.ts';
import { NOT_IN_A_CALL, type ReferRequest } from './refer.ts';
import { Session } from './session.ts';
import { sessionDescription } from '../message/session-description.ts';
import type { Alarm } from '../transaction/timer-queue.ts';
import type { Transaction } from '../transaction/transaction.ts';

/** The parameters of an outbound call. */
export interface InviteRequest {
  /** Chosen by the application, so that one attempt can never become two calls. */
  callId: string;
  from: { uri: string; displayName?: string };
  /** Request-URI and To. */
  toUri: string;
  destination: Destination;
  media: LocalMedia;
  credentials?: Credentials;
  headers?: readonly HeaderField[];
}

/** One fork of the INVITE that is ringing or has answered. */
interface Fork {
  session: Session;
  /** The ACK for its 2xx, sent again for every retransmission of the 2xx. */
  ack: Uint8Array | null;
}

/** One outbound call. */
export class OutboundCall {
  readonly #core: AgentCore;
  readonly #request: InviteRequest;
  readonly #owner: CallOwner;
  readonly #localTag: string;
  readonly #authenticator: Authenticator;
  readonly #media: MediaNegotiation;
  readonly #offer: string;
  readonly #forks = new Map<string, Fork>();
  #state: OutboundState = 'calling';
  #sequence = 0;
  /** Of the latest INVITE. */
  #transaction: Transaction;
  #chosen: Fork | null = null;
  #cancelLimit: Alarm | null = null;
  #failure: CallEnd = { by: 'no-response' };

  constructor(core: AgentCore, request: InviteRequest, owner: CallOwner) {
    this.#core = core;
    this.#request = request;
    this.#owner = owner;
    this.#localTag = core.newTag();
    this.#authenticator = new Authenticator(request.credentials ?? null, core.random);
    this.#media = new MediaNegotiation(request.media, core.random);
    this.#offer = this.#media.offer();
    this.#transaction = this.#sendInvite();
  }

  /** Sends CANCEL before the answer and BYE after it. Does nothing once the call has ended. */
  hangUp(): void {
    this.#apply('hang-up');
  }

  /** Transfers an answered call; in any other state the outcome is a refusal. */
  refer(request: ReferRequest): void {
    const session = this.#state === 'confirmed' ? this.#chosen?.session : undefined;
    if (session) session.refer(request);
    else this.#report({ type: 'referred', outcome: NOT_IN_A_CALL });
  }

  /** Sends a key of an answered call as INFO. */
  sendKey(digit: string): void {
    const session = this.#state === 'confirmed' ? this.#chosen?.session : undefined;
    if (session) session.sendKey(digit);
    else this.#report({ type: 'key-sent', status: null });
  }

  #apply(event: OutboundEvent, received?: Received<SipResponse>): void {
    const step = OUTBOUND_TABLE[this.#state][event];
    if (!step) return;
    this.#state = step.next;
    for (const effect of step.effects) this.#perform(effect, received);
  }

  #perform(effect: OutboundEffect, received?: Received<SipResponse>): void {
    const byName: Record<OutboundEffect, () => void> = {
      'report-ringing': () => this.#reportRinging(received),
      'answer-challenge': () => {
        this.#transaction = this.#sendInvite();
      },
      'send-cancel': () => this.#sendCancel(),
      'take-answer': () => this.#takeAnswer(received),
      'drop-answer': () => this.#dropAnswer(received),
      'send-bye': () => this.#chosen?.session.bye(),
      'end-by-response': () => this.#end({ by: 'response', status: received?.message.status ?? 0 }),
      'end-by-failure': () => this.#end(this.#failure),
      'end-by-cancel': () => this.#end({ by: 'cancel' }),
      'end-by-late-answer': () => this.#end({ by: 'late-answer' }),
      'end-by-local-bye': () => this.#end({ by: 'local-bye' }),
      'end-by-remote-bye': () => this.#end({ by: 'remote-bye' }),
      'end-by-unusable-answer': () => this.#end({ by: 'unusable-answer' }),
      'end-by-no-ack': () => this.#end({ by: 'no-ack' }),
      'drop-transaction': () => this.#transaction.drop(),
    };
    byName[effect]();
  }

  #buildInvite(): SipRequest {
    const { callId, from, toUri, destination, headers = [] } = this.#request;
    const named = from.displayName === undefined ? {} : { displayName: from.displayName };
    return buildRequest({
      method: 'INVITE',
      uri: toUri,
      callId,
      sequence: (this.#sequence += 1),
      from: nameAddr(from.uri, { ...named, tag: this.#localTag }),
      to: nameAddr(toUri),
      headers: [
        ...this.#authenticator.headersFor('INVITE', toUri),
        this.#core.contact(destination.transport, toUri),
        ALLOW,
        { name: 'User-Agent', value: this.#core.options.userAgent },
        ...headers,
        { name: 'Content-Type', value: 'application/sdp' },
      ],
      body: textBody(this.#offer),
    });
  }

  #sendInvite(): Transaction {
    const { destination } = this.#request;
    const transaction = this.#core.transactions.startClient(this.#buildInvite(), destination, {
      onMessage: (received) => isResponse(received) && this.#takeResponse(received),
      onTimeout: () => this.#fail({ by: 'no-response' }),
      onFault: () => this.#fail({ by: 'transport' }),
      // The transaction of a challenged INVITE outlives the challenge and ends beside the next one.
      onEnd: () => transaction === this.#transaction && this.#forgetForks(),
    });
    return transaction;
  }

  #takeResponse(received: Received<SipResponse>): void {
    const { status } = received.message;
    if (status < 200) return this.#apply('provisional', received);
    if (status >= 300) {
      const mayRepeat = this.#state !== 'ended' && this.#authenticator.accept(received.message);
      return this.#apply(mayRepeat ? 'challenged' : 'refused', received);
    }
    const known = this.#forks.get(received.envelope.toTag ?? '');
    if (known?.ack) this.#core.send(known.ack, known.session.dialog.destination, null);
    else if (known || this.#forks.size < MAX_FORKS) this.#apply('accepted', received);
  }

  #fail(failure: CallEnd): void {
    this.#failure = failure;
    this.#apply('failed');
  }

  #reportRinging(received?: Received<SipResponse>): void {
    if (!received || received.message.status === 100) return;
    const fork = received.envelope.toTag === null ? undefined : this.#openFork(received);
    const dialog = fork ? storeDialog(fork.session.dialog) : null;
    this.#report({ type: 'ringing', status: received.message.status, dialog });
  }

  #sendCancel(): void {
    this.#core.transactions.startClient(
      cancelFor(this.#transaction.request),
      this.#transaction.destination,
      {},
    );
    // RFC 3261 section 9.1: without a final response in 64*T1 seconds "the client SHOULD then consider the original
    // transaction cancelled and SHOULD destroy the client transaction handling the original request."
    this.#cancelLimit = this.#core.after(64 * this.#core.timerValues.t1, () => this.#apply('cancel-limit'));
  }

  #takeAnswer(received?: Received<SipResponse>): void {
    if (!received) return;
    const fork = this.#acknowledge(received);
    this.#chosen = fork;
    for (const [tag, other] of this.#forks) if (other !== fork) this.#forgetFork(tag, other);
    if (!this.#media.takeAnswer(sessionDescription(received.message) ?? '')) return this.#apply('unusable');
    fork.session.confirm();
    this.#reportMedia();
    this.#report({ type: 'answered', dialog: storeDialog(fork.session.dialog) });
  }

  #dropAnswer(received?: Received<SipResponse>): void {
    if (received) this.#acknowledge(received).session.bye();
  }

  /**
   * RFC 3261 section 13.2.2.4: "The UAC core MUST generate an ACK request for each 2xx received from the transaction
   * layer." and "The ACK MUST contain the same credentials as the INVITE."
   */
  #acknowledge(received: Received<SipResponse>): Fork {
    const tag = received.envelope.toTag ?? '';
    this.#forks.get(tag)?.session.close();
    const fork = this.#newFork(received);
    const credentials = ['Authorization', 'Proxy-Authorization'].flatMap((name) =>
      headerValues(this.#transaction.request, name).map((value) => ({ name, value })),
    );
    const { dialog } = fork.session;
    const ack = requestInDialog(dialog, 'ACK', {
      sequence: received.envelope.sequence.number,
      headers: credentials,
    });
    fork.ack = this.#core.transactions.statelessRequest(ack, dialog.destination);
    this.#core.send(fork.ack, dialog.destination, null);
    return fork;
  }

  /** Opens the early dialog of a fork, so that its requests are not rejected with 481. */
  #openFork(received: Received<SipResponse>): Fork | undefined {
    const known = this.#forks.get(received.envelope.toTag ?? '');
    return known ?? (this.#forks.size < MAX_FORKS ? this.#newFork(received) : undefined);
  }

  #newFork(received: Received<SipResponse>): Fork {
    const session = new Session(this.#core, {
      dialog: this.#dialogOf(received),
      media: this.#media,
      authenticator: this.#authenticator,
      owner: {
        onMediaChanged: () => this.#reportMedia(),
        onDialogChanged: () => this.#report({ type: 'dialog-changed', dialog: storeDialog(session.dialog) }),
        onReferred: (outcome) => this.#report({ type: 'referred', outcome }),
        onKey: (key) => this.#report({ type: 'key', ...key }),
        onKeySent: (status) => this.#report({ type: 'key-sent', status }),
        onRemoteBye: () => this.#chosen?.session === session && this.#apply('remote-bye'),
        onAck: () => {},
        onAckMissing: () => this.#apply('ack-missing'),
      },
    });
    const fork: Fork = { session, ack: null };
    this.#forks.set(received.envelope.toTag ?? '', fork);
    return fork;
  }

  /** With a malformed Contact or Record-Route, ACK and BYE are sent where the INVITE was sent. */
  #dialogOf(received: Received<SipResponse>): Dialog {
    try {
      return dialogFromResponse(this.#request.toUri, received);
    } catch (error) {
      if (!(error instanceof SipParseError)) throw error;
      const headers = received.message.headers.filter(
        ({ name }) => name !== 'Contact' && name !== 'Record-Route',
      );
      return dialogFromResponse(this.#request.toUri, {
        ...received,
        message: { ...received.message, headers },
      });
    }
  }

  #reportMedia(): void {
    if (this.#media.agreed) this.#report({ type: 'media', agreed: this.#media.agreed });
  }

  #report(event: CallEvent): void {
    this.#owner.onEvent(event);
  }

  #end(end: CallEnd): void {
    this.#cancelLimit?.cancel();
    this.#forgetForks();
    this.#report({ type: 'ended', end });
    this.#owner.onEnd();
  }

  #forgetFork(tag: string, fork: Fork): void {
    fork.session.close();
    this.#forks.delete(tag);
  }

  /** Forgets forks that only rang; answered forks end with BYE. */
  #forgetForks(): void {
    for (const [tag, fork] of this.#forks) if (!fork.ack) this.#forgetFork(tag, fork);
  }
}
