/**
 * What the parts of one agent share: time, timers, randomness, transactions, dialogs, and the function that sends.
 */
import { buildResponse, type ResponseExtras } from '../message/build-response.ts';
import { peerTransport, type Destination, type Received } from '../message/destination.ts';
import { dialogKey, type Dialog } from './dialog.ts';
import type { HeaderField, SipRequest } from '../message/message.ts';
import { randomToken, type RandomSource } from '../message/random.ts';
import { serialiseMessage } from '../message/serialise-message.ts';
import { TimerQueue, type Alarm } from '../transaction/timer-queue.ts';
import {
  DEFAULT_TIMERS,
  type SendMessage,
  type TimerValues,
  type Transaction,
} from '../transaction/transaction.ts';
import { TransactionLayer } from '../transaction/transaction-layer.ts';
import { addressFor, type OwnAddress } from '../message/own-address.ts';
import { formatHostPort } from '../message/uri.ts';

/** The configuration of an agent. */
export interface AgentOptions {
  address: OwnAddress;
  /** Product name for User-Agent in our requests, for example `Parley/0.1`. */
  userAgent: string;
  random: RandomSource;
  /** Defaults to the values of the RFC; only tests change them. */
  timerValues?: TimerValues;
  /** Session timers (RFC 4028); only tests change them. Default: {@link DEFAULT_SESSION_TIMER}. */
  sessionTimer?: SessionTimerSetting;
  /** Limit of concurrent server transactions; further requests get 503. Default 50 000: 780 short calls a second. */
  maxServerTransactions?: number;
  /** Ends every tag of ours, so that a proxy recognises the agent that holds a dialog; a token. Default: empty. */
  tagSuffix?: string;
  /** Our own proxy: its Via names the peers whose requests it forwards. */
  front?: { host: string; port: number } | undefined;
}

/** The session interval that we propose, and the shortest one that we accept. */
export interface SessionTimerSetting {
  intervalSeconds: number;
  minimumSeconds: number;
}

/** RFC 4028 section 4: a Session-Expires of 1800 s is recommended; Min-SE "MUST NOT be less than 90 seconds". */
const DEFAULT_SESSION_TIMER: SessionTimerSetting = { intervalSeconds: 1800, minimumSeconds: 90 };

/** Handles the requests of a dialog. */
export interface DialogUser {
  takeRequest(received: Received<SipRequest>, transaction: Transaction): void;
  takeAck(received: Received<SipRequest>): void;
}

/** The methods we accept, for Allow; REFER only in calls whose application accepts it. */
export const ALLOWED_METHODS = [
  'INVITE',
  'ACK',
  'CANCEL',
  'BYE',
  'PRACK',
  'OPTIONS',
  'INFO',
  'UPDATE',
  'NOTIFY',
] as const;
/** The Allow header field. */
export const ALLOW: HeaderField = { name: 'Allow', value: ALLOWED_METHODS.join(', ') };
/** The same for a call in which the far end may refer us to another party. */
export const ALLOW_REFER: HeaderField = { name: 'Allow', value: `${ALLOW.value}, REFER` };

/** One per agent. */
export class AgentCore {
  readonly options: AgentOptions;
  readonly random: RandomSource;
  readonly send: SendMessage;
  readonly timers = new TimerQueue();
  readonly timerValues: TimerValues;
  readonly sessionTimer: SessionTimerSetting;
  readonly transactions: TransactionLayer;
  readonly #dialogs = new Map<string, DialogUser>();
  #nowMs = 0;

  constructor(options: AgentOptions, send: SendMessage) {
    this.options = options;
    this.send = send;
    this.random = options.random;
    this.timerValues = options.timerValues ?? DEFAULT_TIMERS;
    this.sessionTimer = options.sessionTimer ?? DEFAULT_SESSION_TIMER;
    this.transactions = new TransactionLayer({
      timers: this.timers,
      timerValues: this.timerValues,
      random: options.random,
      address: options.address,
      nowMs: () => this.#nowMs,
      send,
    });
  }

  /** Time stands still within one input. */
  nowMs(): number {
    return this.#nowMs;
  }

  /** Advances the time; it never goes back. */
  setTime(nowMs: number): void {
    if (nowMs > this.#nowMs) this.#nowMs = nowMs;
  }

  after(delayMs: number, run: () => void): Alarm {
    return this.timers.set(this.#nowMs + delayMs, run);
  }

  newTag(): string {
    return randomToken(this.random) + (this.options.tagSuffix ?? '');
  }

  /** Responds within a server transaction. */
  respond(transaction: Transaction, status: number, extras: ResponseExtras = {}): void {
    const response = this.response(transaction.request, status, extras);
    const event = status < 200 ? 'provisional' : status < 300 ? 'success' : 'failure';
    transaction.apply(event, { response });
  }

  /**
   * A response as bytes. A To tag is generated where the response needs one and none is given. There is no Server field:
   * it would tell scanners which software answers (RFC 3261 section 20.35).
   */
  response(request: SipRequest, status: number, extras: ResponseExtras = {}): Uint8Array {
    const toTag = extras.toTag ?? (status > 100 ? this.newTag() : undefined);
    const tagged = toTag === undefined ? {} : { toTag };
    return serialiseMessage(buildResponse(request, status, { ...extras, ...tagged }));
  }

  /**
   * Our Contact for a dialog with this peer. RFC 3261 section 12.1.1: to a peer with a SIPS URI "the Contact header field
   * in the response MUST be a SIPS URI." To others `transport=tls` says the same for one hop (RFC 5630 section 3.1.4).
   */
  contact(destination: Pick<Destination, 'over' | 'transport'>, peerUri = ''): HeaderField {
    const transport = peerTransport(destination);
    const { host, port } = addressFor(this.options.address, transport);
    const address = formatHostPort(host, port);
    const isSips = transport === 'tls' && /^sips:/i.test(peerUri);
    const suffix = transport === 'udp' || isSips ? '' : `;transport=${transport}`;
    return { name: 'Contact', value: `<${isSips ? 'sips' : 'sip'}:${address}${suffix}>` };
  }

  registerDialog(dialog: Dialog, user: DialogUser): void {
    this.#dialogs.set(dialogKey(dialog.callId, dialog.localTag, dialog.remoteTag), user);
  }

  forgetDialog(dialog: Dialog): void {
    this.#dialogs.delete(dialogKey(dialog.callId, dialog.localTag, dialog.remoteTag));
  }

  /** The dialog of a request (RFC 3261 section 12): Call-ID, local tag and remote tag must all match. */
  findDialog({ envelope }: Received): DialogUser | undefined {
    return this.#dialogs.get(dialogKey(envelope.callId, envelope.toTag ?? '', envelope.fromTag ?? ''));
  }

  hasDialog(callId: string, localTag: string, remoteTag: string): boolean {
    return this.#dialogs.has(dialogKey(callId, localTag, remoteTag));
  }

  /** Counts of live objects; all zero when the agent is idle. */
  load(): { transactions: number; awaited: number; dialogs: number; timers: number } {
    const { size: transactions, awaited } = this.transactions;
    return { transactions, awaited, dialogs: this.#dialogs.size, timers: this.timers.size };
  }
}
