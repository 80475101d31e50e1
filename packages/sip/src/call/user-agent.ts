/**
 * The user agent: a pure state machine for all of SIP. It reads no clock, opens no socket and never throws from
 * {@link UserAgent.receive}, {@link UserAgent.advance} or {@link UserAgent.transportFailed}. After every input the driver
 * takes the actions and asks for the next wake-up:
 *
 *     datagram ──► receive ─┐
 *     clock ─────► advance ─┼─► takeActions() ──► send messages, notify the application
 *     command ───► invite … ┘   nextWakeAtMs  ──► set one timer
 */
import type { AgentAction, CallNumber, CallOwner, OutboundCallOwner, StrayAnswer } from './agent-actions.ts';
import { AgentCore, type AgentOptions } from '../dialog/agent-core.ts';
import { Authenticator } from '../dialog/authentication.ts';
import type { Destination, TransportFault } from '../message/destination.ts';
import type { Credentials } from '../message/digest.ts';
import { dialogFromStored, requestInDialog, type StoredDialog } from '../dialog/dialog.ts';
import { sendInDialog } from '../dialog/in-dialog-request.ts';
import { InboundCall } from './inbound-call.ts';
import type { LocalMedia } from '../media/offer-answer.ts';
import type { InviteRequest } from './invite-request.ts';
import { OutboundCall } from './outbound-call.ts';
import { ResumedCall, type ResumeRequest } from './resumed-call.ts';
import type { RedirectRefusal, RedirectTarget } from './redirect.ts';
import type { Replaces } from '../message/replaces.ts';
import { Reception, type ReplacedCall } from './reception.ts';
import type { ReferRequest } from './refer.ts';
import { SentQuery, type SipQuery } from '../registration/query.ts';
import { SentRegister, type RegisterRequest } from '../registration/send-register.ts';
import { UnavailableServers } from './unavailable-servers.ts';

/** Counts of live objects and of errors so far. */
export interface AgentLoad {
  calls: number;
  transactions: number;
  /** Requests of ours that still wait for a final response. */
  awaited: number;
  dialogs: number;
  timers: number;
  /** Messages dropped because they were malformed or matched no transaction. */
  dropped: number;
  /** Internal errors that were caught. */
  faults: number;
}

/** One agent on one address. */
export class UserAgent {
  readonly #core: AgentCore;
  readonly #calls = new Map<CallNumber, OutboundCall | InboundCall | ResumedCall>();
  readonly #reception: Reception;
  readonly #unavailable = new UnavailableServers();
  readonly #registers = new Map<number, SentRegister>();
  readonly #queries = new Map<number, SentQuery>();
  #actions: AgentAction[] = [];
  #nextNumber = 1;
  #faults = 0;

  constructor(options: AgentOptions) {
    this.#core = new AgentCore(options, (bytes, destination, reference) =>
      this.#emit({ type: 'send', bytes, destination, reference }),
    );
    this.#reception = new Reception(this.#core, {
      emit: (action) => this.#emit(action),
      nextNumber: () => this.#nextNumber++,
      add: (number, call) => this.#calls.set(number, call),
      remove: (number) => this.#calls.delete(number),
      find: (replaces) => this.#findReplaced(replaces),
    });
  }

  /** Takes a datagram, or one message framed from a stream. Never throws. */
  receive(input: Uint8Array | string, source: Destination, nowMs: number): void {
    this.#guarded(nowMs, () => this.#reception.receive(input, source));
  }

  /** Runs every timer that is due. */
  advance(nowMs: number): void {
    this.#core.setTime(nowMs);
    for (let run = this.#core.timers.takeDue(nowMs); run; run = this.#core.timers.takeDue(nowMs)) {
      this.#guarded(nowMs, run);
    }
  }

  /** The transport could not deliver what was sent with this reference. */
  transportFailed(reference: string | null, nowMs: number, fault: TransportFault = 'unsent'): void {
    this.#guarded(
      nowMs,
      () => reference !== null && this.#core.transactions.transportFailed(reference, fault),
    );
  }

  /** When {@link advance} is due next, null if no timer is set. */
  get nextWakeAtMs(): number | null {
    return this.#core.timers.nextAtMs();
  }

  /** The actions since the last call, in order. */
  takeActions(): AgentAction[] {
    const actions = this.#actions;
    this.#actions = [];
    return actions;
  }

  /** While draining, new INVITE and OPTIONS requests get 503; calls in progress continue. */
  setDraining(isDraining: boolean): void {
    this.#reception.isDraining = isDraining;
  }

  /** Places a call. @throws TypeError on a header name that is not a token */
  invite(request: InviteRequest, nowMs: number): CallNumber {
    this.#core.setTime(nowMs);
    const number = this.#nextNumber++;
    const owner: OutboundCallOwner = {
      onEvent: (event) => this.#emit({ type: 'call', call: number, event }),
      onEnd: () => this.#calls.delete(number),
      onUnavailable: (server, response) => this.#unavailable.note(server, response, this.#core.nowMs()),
    };
    const reordered = this.#unavailable.reorder(request, nowMs);
    this.#calls.set(number, new OutboundCall(this.#core, reordered, owner));
    return number;
  }

  /**
   * Goes on with a call that another process held: a re-INVITE moves the media here. The events `media` and `answered` follow, or
   * `ended`, after a BYE.
   *
   * @throws SipParseError when the stored dialog is malformed
   */
  resume(request: ResumeRequest, nowMs: number): CallNumber {
    this.#core.setTime(nowMs);
    const number = this.#nextNumber++;
    const owner: CallOwner = {
      onEvent: (event) => this.#emit({ type: 'call', call: number, event }),
      onEnd: () => this.#calls.delete(number),
    };
    this.#calls.set(number, new ResumedCall(this.#core, request, owner));
    return number;
  }

  /** Ends an answered call and sends nothing to the far end, because another process continues it. */
  abandon(call: CallNumber, nowMs: number): void {
    this.#guarded(nowMs, () => this.#calls.get(call)?.abandon());
  }

  /**
   * Inbound: sends 180. Like all commands below, it is ignored in a state that does not allow it.
   *
   * @param local - our media, for a call that {@link IncomingCall.mustOfferInRinging}; without it, that call gets no 180
   */
  ring(call: CallNumber, nowMs: number, local: LocalMedia | null = null): void {
    this.#guarded(nowMs, () => this.#inbound(call)?.ring(local));
  }

  /** Outbound, after the event `redirected`: sends the INVITE to one of its targets, whose address is `destination`. */
  redirect(call: CallNumber, to: { target: RedirectTarget; destination: Destination }, nowMs: number): void {
    this.#guarded(nowMs, () => this.#outbound(call)?.redirect(to.target, to.destination));
  }

  /** Outbound, after the event `redirected`: ends the call. */
  refuseRedirect(call: CallNumber, why: RedirectRefusal, nowMs: number): void {
    this.#guarded(nowMs, () => this.#outbound(call)?.refuseRedirect(why));
  }

  /** Inbound: sends 200 with our media at `local`. With `acceptsRefer`, the far end may refer us to another party. */
  answer(call: CallNumber, local: LocalMedia, nowMs: number, acceptsRefer = false): void {
    this.#guarded(nowMs, () => this.#inbound(call)?.answer(local, acceptsRefer));
  }

  /** Inbound, before the answer: a final response of 300 to 699. */
  reject(call: CallNumber, status: number, nowMs: number): void {
    this.#guarded(nowMs, () => this.#inbound(call)?.reject(status));
  }

  /** Sends CANCEL (outbound) or 480 (inbound) before the answer, and BYE after it. */
  hangUp(call: CallNumber, nowMs: number): void {
    this.#guarded(nowMs, () => this.#calls.get(call)?.hangUp());
  }

  /** Transfers an answered call; the event `referred` reports the outcome. */
  refer(call: CallNumber, request: ReferRequest, nowMs: number): void {
    this.#guarded(nowMs, () => this.#calls.get(call)?.refer(request));
  }

  /** After the event `refer-received`: 202, or a refusal. */
  answerRefer(call: CallNumber, status: number, nowMs: number): void {
    this.#guarded(nowMs, () => this.#calls.get(call)?.answerRefer(status));
  }

  /** After 202: the final status of the call to the party that the far end has named. */
  reportReferral(call: CallNumber, status: number, nowMs: number): void {
    this.#guarded(nowMs, () => this.#calls.get(call)?.reportReferral(status));
  }

  /** Sends a DTMF key of an answered call as INFO; the event `key-sent` reports the response. */
  sendKey(call: CallNumber, digit: string, nowMs: number): void {
    this.#guarded(nowMs, () => this.#calls.get(call)?.sendKey(digit));
  }

  /**
   * Ends a call that another process answered. The action `dialog-ended` with the returned number reports the result.
   *
   * @throws SipParseError when the stored dialog is malformed
   */
  sendBye(stored: StoredDialog, nowMs: number, credentials: Credentials | null = null): number {
    this.#core.setTime(nowMs);
    const id = this.#nextNumber++;
    const authenticator = new Authenticator(credentials, this.#core.random);
    const request = { dialog: dialogFromStored(stored), authenticator, method: 'BYE' };
    sendInDialog(this.#core, request, (status) => this.#emit({ type: 'dialog-ended', id, status }));
    return id;
  }

  /** Sends a REGISTER. The action `register-ended` with the returned number reports the result. */
  register(request: RegisterRequest, nowMs: number): number {
    this.#core.setTime(nowMs);
    const id = this.#nextNumber++;
    const sent = new SentRegister(this.#core, request, (outcome) => {
      this.#registers.delete(id);
      this.#emit({ type: 'register-ended', id, outcome });
    });
    this.#registers.set(id, sent);
    return id;
  }

  /** Stops repeating a REGISTER that has no final response yet; nothing will be reported about it. */
  dropRegister(id: number, nowMs: number): void {
    this.#guarded(nowMs, () => this.#registers.get(id)?.drop());
    this.#registers.delete(id);
  }

  /** Asks a far end. The action `query-ended` with the returned number reports the answer. */
  ask(query: SipQuery, nowMs: number): number {
    this.#core.setTime(nowMs);
    const id = this.#nextNumber++;
    const sent = new SentQuery(this.#core, query, (outcome) => {
      this.#queries.delete(id);
      this.#emit({ type: 'query-ended', id, outcome });
    });
    this.#queries.set(id, sent);
    return id;
  }

  /** Stops repeating a question that has no answer yet; nothing will be reported about it. */
  dropQuery(id: number, nowMs: number): void {
    this.#guarded(nowMs, () => this.#queries.get(id)?.drop());
    this.#queries.delete(id);
  }

  /** Ends a call that was answered although no process holds it: ACK, then BYE. @throws SipParseError like {@link sendBye} */
  endStrayAnswer({ dialog: stored }: StrayAnswer, nowMs: number): number {
    this.#core.setTime(nowMs);
    const dialog = dialogFromStored(stored);
    const ack = requestInDialog(dialog, 'ACK', { sequence: dialog.localSequence });
    this.#core.send(
      this.#core.transactions.statelessRequest(ack, dialog.destination),
      dialog.destination,
      null,
    );
    return this.sendBye(stored, nowMs);
  }

  /** All zero, except for the counts of drops and faults, when the agent is idle. */
  load(): AgentLoad {
    const { dropped } = this.#reception;
    return { ...this.#core.load(), calls: this.#calls.size, dropped, faults: this.#faults };
  }

  #findReplaced(replaces: Replaces): ReplacedCall | null {
    for (const [number, call] of this.#calls) {
      const phase = call.replaceableAs(replaces);
      if (phase) return { number, phase };
    }
    return null;
  }

  #emit(action: AgentAction): void {
    this.#actions.push(action);
  }

  #outbound(call: CallNumber): OutboundCall | null {
    const found = this.#calls.get(call);
    return found instanceof OutboundCall ? found : null;
  }

  #inbound(call: CallNumber): InboundCall | null {
    const found = this.#calls.get(call);
    return found instanceof InboundCall ? found : null;
  }

  /** An error while handling one message must not end all calls of the process. */
  #guarded(nowMs: number, run: () => unknown): void {
    this.#core.setTime(nowMs);
    try {
      run();
    } catch (error) {
      this.#faults += 1;
      this.#emit({ type: 'fault', error });
    }
  }
}
