/**
 * Drives an outbound call through its state table: INVITE, challenges, redirects, forks, CANCEL, and the session after the
 * answer.
 */
import type { CallEnd, CallEvent, OutboundCallOwner } from './agent-actions.ts';
import type { AgentCore, SessionTimerSetting } from '../dialog/agent-core.ts';
import { Authenticator } from '../dialog/authentication.ts';
import { cancelFor } from '../message/build-request.ts';
import { isResponse, type Destination, type Received } from '../message/destination.ts';
import {
  confirmDialog,
  dialogFromResponse,
  requestInDialog,
  storeDialog,
  type Dialog,
} from '../dialog/dialog.ts';
import { credentialsOf } from '../dialog/re-invite.ts';
import { Fork } from './fork.ts';
import { ServerChoice } from './server-choice.ts';
import { buildInvite, type InviteRequest } from './invite-request.ts';
import { MAX_FORKS, MAX_INVITES } from '../message/limits.ts';
import { MediaNegotiation } from '../media/media-negotiation.ts';
import { textBody, type SipResponse } from '../message/message.ts';
import {
  OUTBOUND_TABLE,
  type OutboundEffect,
  type OutboundEvent,
  type OutboundState,
} from './outbound-call.rules.ts';
import { SipParseError } from '../message/parse-error.ts';
import {
  decideRedirect,
  isRedirect,
  targetKey,
  type RedirectRefusal,
  type RedirectTarget,
} from './redirect.ts';
import { NOT_IN_A_CALL, type ReferRequest } from './refer.ts';
import { reliableNumber } from '../message/reliability.ts';
import type { Replaces } from '../message/replaces.ts';
import { Session } from './session.ts';
import { raisedSetting } from './session-timer.ts';
import type { Alarm } from '../transaction/timer-queue.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { formatSipUri, parseSipUri } from '../message/uri.ts';

/** One outbound call. */
export class OutboundCall {
  readonly #core: AgentCore;
  readonly #request: InviteRequest;
  readonly #owner: OutboundCallOwner;
  readonly #localTag: string;
  readonly #servers: ServerChoice;
  readonly #media: MediaNegotiation;
  readonly #offer: string;
  /** The targets of the INVITEs so far. */
  readonly #tried = new Set<string>();
  readonly #forks = new Map<string, Fork>();
  #authenticator: Authenticator;
  #state: OutboundState = 'calling';
  #sequence = 0;
  #uri: string;
  #destination: Destination;
  #timer: SessionTimerSetting;
  /** The transaction of the latest INVITE. */
  #transaction: Transaction;
  #chosen: Fork | null = null;
  #cancelLimit: Alarm | null = null;
  #failure: CallEnd = { by: 'no-response' };
  #redirectStatus = 0;
  #targets: readonly RedirectTarget[] = [];
  #refusedRedirect: { status: number; why: RedirectRefusal } = { status: 0, why: 'no-usable-contact' };

  constructor(core: AgentCore, request: InviteRequest, owner: OutboundCallOwner) {
    this.#core = core;
    this.#request = request;
    this.#owner = owner;
    this.#localTag = core.newTag();
    this.#authenticator = new Authenticator(request.credentials ?? null, core.random);
    this.#uri = request.toUri;
    this.#destination = request.destination;
    this.#timer = core.sessionTimer;
    const { host, port } = parseSipUri(request.toUri);
    this.#tried.add(targetKey({ host, port, transport: null }, request.destination.transport));
    this.#media = new MediaNegotiation(request.media, core.random);
    this.#offer = this.#media.offer();
    this.#servers = new ServerChoice(request.alternatives ?? [], core);
    this.#transaction = this.#sendInvite();
  }

  /** Sends CANCEL before the answer and BYE after it. Does nothing once the call has ended. */
  hangUp(): void {
    this.#apply('hang-up');
  }

  /** Another process goes on with the call. Ignored before the answer. */
  abandon(): void {
    this.#apply('abandoned');
  }

  /** Follows a redirect: sends the INVITE to that target. Ignored unless the call waits for this decision. */
  redirect(target: RedirectTarget, destination: Destination): void {
    if (this.#state !== 'redirected') return;
    const { userInfo } = parseSipUri(this.#request.toUri);
    const params = destination.transport === 'udp' ? [] : [['transport', destination.transport] as const];
    const { host, port } = target;
    this.#uri = formatSipUri({ scheme: 'sip', userInfo, host, port, params: new Map(params), headers: null });
    this.#destination = destination;
    this.#tried.add(targetKey(target, this.#request.destination.transport));
    this.#servers.close();
    this.#apply('redirect-chosen');
  }

  /** How a Replaces may name this call: its confirmed dialog, or one that rings. */
  replaceableAs(replaces: Replaces): 'confirmed' | 'early' | null {
    if (this.#state === 'confirmed') return this.#chosen?.session.isNamedBy(replaces) ? 'confirmed' : null;
    if (this.#state !== 'proceeding') return null;
    const isNamed = [...this.#forks.values()].some(({ session }) => session.isNamedBy(replaces));
    return isNamed ? 'early' : null;
  }

  /** Ends the call instead of following a redirect. */
  refuseRedirect(why: RedirectRefusal): void {
    if (this.#state === 'redirected') this.#refuseRedirect(why);
  }

  /** Transfers an answered call; in any other state the outcome is a refusal. */
  refer(request: ReferRequest): void {
    const session = this.#state === 'confirmed' ? this.#chosen?.session : undefined;
    if (session) session.refer(request);
    else this.#report({ type: 'referred', outcome: NOT_IN_A_CALL });
  }

  answerRefer(status: number): void {
    this.#chosen?.session.answerRefer(status);
  }

  reportReferral(status: number): void {
    this.#chosen?.session.reportReferral(status);
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
      'send-again': () => {
        // The final response has ended the early dialogs of the INVITE before.
        this.#forgetForks();
        this.#transaction = this.#sendInvite();
      },
      'fail-over': () => this.#failOver(),
      'report-redirect': () => this.#report({ type: 'redirected', targets: this.#targets }),
      'send-cancel': () => this.#sendCancel(),
      'take-answer': () => this.#takeAnswer(received),
      'drop-answer': () => this.#dropAnswer(received),
      'send-bye': () => this.#chosen?.session.bye(),
      'end-by-response': () => this.#end({ by: 'response', status: received?.message.status ?? 0 }),
      'end-by-redirect': () => this.#end({ by: 'redirect-refused', ...this.#refusedRedirect }),
      'end-by-expiry': () => this.#end({ by: 'session-expired' }),
      'end-by-failure': () => this.#end(this.#failure),
      'end-by-cancel': () => this.#end({ by: 'cancel' }),
      'end-by-late-answer': () => this.#end({ by: 'late-answer' }),
      'end-by-local-bye': () => this.#end({ by: 'local-bye' }),
      'end-by-remote-bye': () => this.#end({ by: 'remote-bye' }),
      'end-by-unusable-answer': () => this.#end({ by: 'unusable-answer' }),
      'end-by-no-ack': () => this.#end({ by: 'no-ack' }),
      'end-by-take-over': () => {
        this.#chosen?.session.close();
        this.#end({ by: 'taken-over' });
      },
      'drop-transaction': () => this.#transaction.drop(),
    };
    byName[effect]();
  }

  #sendInvite(): Transaction {
    const invite = buildInvite(this.#core, this.#request, {
      uri: this.#uri,
      destination: this.#destination,
      sequence: (this.#sequence += 1),
      localTag: this.#localTag,
      offer: this.#offer,
      timer: this.#timer,
      credentials: this.#authenticator.headersFor('INVITE', this.#uri, textBody(this.#offer)),
    });
    const transaction = this.#core.transactions.startClient(invite, this.#destination, {
      onMessage: (received) => isResponse(received) && this.#takeResponse(received),
      onTimeout: () => this.#fail({ by: 'no-response' }),
      onFault: () => this.#takeFault(transaction),
      // The transaction of a challenged INVITE outlives the challenge and ends beside the next one.
      onEnd: () => transaction === this.#transaction && this.#forgetForks(),
    });
    return transaction;
  }

  #takeResponse(received: Received<SipResponse>): void {
    const { status } = received.message;
    if (status < 200) return this.#takeProvisional(received);
    if (status >= 300) return this.#takeRefusal(received);
    const known = this.#forks.get(received.envelope.toTag ?? '');
    if (known?.ack) this.#core.send(known.ack, known.session.dialog.destination, null);
    else if (known || this.#forks.size < MAX_FORKS) this.#apply('accepted', received);
  }

  /** A reliable response out of order, or a repeated one, is ignored (RFC 3262 section 4). */
  #takeProvisional(received: Received<SipResponse>): void {
    const number = reliableNumber(received.message);
    if (received.message.status > 100) this.#servers.close();
    const isWaiting = this.#state === 'calling' || this.#state === 'proceeding';
    if (number !== null && isWaiting && received.envelope.toTag !== null) {
      if (!this.#openFork(received)?.acknowledge(number, received)) return;
    }
    this.#apply('provisional', received);
  }

  #takeRefusal(received: Received<SipResponse>): void {
    const { message } = received;
    if (this.#state === 'ended') return;
    if (isRedirect(message)) return this.#takeRedirect(message);
    if (message.status === 503) this.#owner.onUnavailable(this.#destination, message);
    if (message.status === 503 && this.#servers.hasNext) return this.#apply('unavailable', received);
    const mayRepeat = this.#authenticator.accept(message) || this.#raiseInterval(message);
    const isBounded = this.#sequence < MAX_INVITES;
    this.#apply(mayRepeat && isBounded ? 'retryable' : 'refused', received);
  }

  /** RFC 4028 section 7.3: after 422 the INVITE is sent again with the interval that Min-SE asks for. */
  #raiseInterval(response: SipResponse): boolean {
    const raised = response.status === 422 ? raisedSetting(response, this.#timer) : null;
    this.#timer = raised ?? this.#timer;
    return raised !== null;
  }

  #takeRedirect(response: SipResponse): void {
    this.#redirectStatus = response.status;
    const { toUri: dialedUri, destination } = this.#request;
    const { transport } = destination;
    const decision = decideRedirect(response, { dialedUri, transport, tried: this.#tried });
    if ('refusal' in decision) return this.#refuseRedirect(decision.refusal);
    this.#targets = decision.targets;
    this.#apply('redirected');
  }

  #refuseRedirect(why: RedirectRefusal): void {
    this.#refusedRedirect = { status: this.#redirectStatus, why };
    this.#apply('redirect-refused');
  }

  /** Nothing was delivered if this was the only copy and no response came. */
  #takeFault(transaction: Transaction): void {
    const isUndelivered = this.#state === 'calling' && !transaction.isRepeated;
    if (isUndelivered && this.#servers.hasNext) this.#apply('unavailable');
    else this.#fail({ by: 'transport' });
  }

  /** The Call-ID stays: should the call reach one server twice after all, that sees that it is the same one. */
  #failOver(): void {
    const from = this.#destination;
    const next = this.#servers.take();
    if (!next) return;
    this.#forgetForks();
    this.#uri = next.uri;
    this.#destination = next.destination;
    const { host, port } = parseSipUri(next.uri);
    this.#tried.add(targetKey({ host, port, transport: null }, next.destination.transport));
    // The next server has nonces of its own.
    this.#authenticator = new Authenticator(this.#request.credentials ?? null, this.#core.random);
    this.#report({ type: 'failed-over', from, to: next.destination });
    this.#transaction = this.#sendInvite();
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
    if (!fork.takeFinalAnswer(received.message)) return this.#apply('unusable');
    fork.session.confirmedBy(received.message);
    this.#reportMedia();
    this.#report({ type: 'answered', dialog: fork.session.stored() });
  }

  #dropAnswer(received?: Received<SipResponse>): void {
    if (received) this.#acknowledge(received).session.bye();
  }

  /**
   * RFC 3261 section 13.2.2.4: "The UAC core MUST generate an ACK request for each 2xx received from the transaction
   * layer." and "The ACK MUST contain the same credentials as the INVITE."
   */
  #acknowledge(received: Received<SipResponse>): Fork {
    const fork = this.#confirmFork(received);
    const { dialog } = fork.session;
    const ack = requestInDialog(dialog, 'ACK', {
      sequence: received.envelope.sequence.number,
      headers: credentialsOf(this.#transaction.request),
    });
    fork.ack = this.#core.transactions.statelessRequest(ack, dialog.destination);
    this.#core.send(fork.ack, dialog.destination, null);
    return fork;
  }

  /** The dialog of a 2xx: that of the ringing fork, whose CSeq numbers and media continue, or a new one. */
  #confirmFork(received: Received<SipResponse>): Fork {
    const known = this.#forks.get(received.envelope.toTag ?? '');
    if (!known || known.session.isClosed) return this.#newFork(received);
    confirmDialog(known.session.dialog, this.#dialogOf(received));
    return known;
  }

  /** Opens the early dialog of a fork, so that its requests are not rejected with 481. */
  #openFork(received: Received<SipResponse>): Fork | undefined {
    const known = this.#forks.get(received.envelope.toTag ?? '');
    return known ?? (this.#forks.size < MAX_FORKS ? this.#newFork(received) : undefined);
  }

  #newFork(received: Received<SipResponse>): Fork {
    const authenticator = this.#authenticator;
    const media = this.#media.copy();
    const session = new Session(this.#core, {
      dialog: this.#dialogOf(received),
      media,
      authenticator,
      isCaller: true,
      acceptsRefer: this.#request.acceptsRefer,
      owner: {
        onMediaChanged: () => this.#chosen?.session === session && this.#reportMedia(),
        onDialogChanged: () => this.#report({ type: 'dialog-changed', dialog: session.stored() }),
        onReferred: (outcome) => this.#report({ type: 'referred', outcome }),
        onReferReceived: (target) => this.#report({ type: 'refer-received', target }),
        onKey: (key) => this.#report({ type: 'key', ...key }),
        onKeySent: (status) => this.#report({ type: 'key-sent', status }),
        onRemoteBye: () => this.#chosen?.session === session && this.#apply('remote-bye'),
        onAck: () => {},
        onAckMissing: () => this.#apply('ack-missing'),
        onExpired: () => this.#chosen?.session === session && this.#apply('expired'),
      },
    });
    const fork = new Fork(this.#core, { session, media, authenticator });
    this.#forks.set(received.envelope.toTag ?? '', fork);
    return fork;
  }

  /** With a malformed Contact or Record-Route, ACK and BYE are sent where the INVITE was sent. */
  #dialogOf(received: Received<SipResponse>): Dialog {
    try {
      return dialogFromResponse(this.#uri, received);
    } catch (error) {
      if (!(error instanceof SipParseError)) throw error;
      const headers = received.message.headers.filter(
        ({ name }) => name !== 'Contact' && name !== 'Record-Route',
      );
      return dialogFromResponse(this.#uri, {
        ...received,
        message: { ...received.message, headers },
      });
    }
  }

  #reportMedia(): void {
    const agreed = this.#chosen?.media.agreed;
    if (agreed) this.#report({ type: 'media', agreed });
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
