/**
 * Drives one transaction through its table (`transaction-states.rules.ts`): timers, retransmissions, and reports to the
 * transaction user.
 */
import { ackForFailure } from '../message/build-request.ts';
import { isResponse, isStream, type Destination, type Received } from '../message/destination.ts';
import type { SipRequest } from '../message/message.ts';
import { serialiseMessage } from '../message/serialise-message.ts';
import type { Alarm, TimerQueue } from './timer-queue.ts';
import {
  FIRST_STATE,
  TRANSACTION_TABLES,
  transactionStep,
  type Deadline,
  type RepeatTimer,
  type StateSpec,
  type TransactionEffect,
  type TransactionEvent,
  type TransactionKind,
  type TransactionState,
} from './transaction-states.rules.ts';

/** RFC 3261 section 17.1.1.1, milliseconds. */
export interface TimerValues {
  /** Estimate of the round-trip time; the first retransmission interval. */
  t1: number;
  /** The maximum retransmission interval. */
  t2: number;
  /** The maximum time that a message remains in the network. */
  t4: number;
}

/** The default values of the RFC. */
export const DEFAULT_TIMERS: TimerValues = { t1: 500, t2: 4000, t4: 5000 };

/** The transaction user (TU), to which a transaction reports. */
export interface TransactionUser {
  /** A response for a client; the ACK of a 2xx for a server. */
  onMessage?(received: Received): void;
  /** No response arrived in time. */
  onTimeout?(): void;
  /** The transport could not deliver a message. */
  onFault?(): void;
  /** The transaction has terminated. Always the last call. */
  onEnd?(): void;
}

/** A second copy of these has no effect, and a lost one leaves a call to the far end. */
const SENT_AGAIN: ReadonlySet<string> = new Set(['BYE', 'CANCEL']);

/** Sends a message; `reference` identifies it when the transport reports that it could not be delivered. */
export type SendMessage = (bytes: Uint8Array, destination: Destination, reference: string | null) => void;

/** What a transaction uses of its agent. */
export interface TransactionSurroundings {
  readonly timers: TimerQueue;
  readonly timerValues: TimerValues;
  readonly send: SendMessage;
  nowMs(): number;
  forget(transaction: Transaction): void;
}

/** The parameters of a new transaction. */
export interface TransactionOptions {
  kind: TransactionKind;
  key: string;
  request: SipRequest;
  destination: Destination;
  user: TransactionUser;
}

/** The message that belongs to an event. */
interface Occasion {
  received?: Received;
  response?: Uint8Array;
}

/** One request and its responses. */
export class Transaction {
  readonly kind: TransactionKind;
  readonly key: string;
  readonly request: SipRequest;
  readonly destination: Destination;
  user: TransactionUser;
  #state: TransactionState;
  #lastSent: Uint8Array | null = null;
  #isRepeated = false;
  #intervalMs: number;
  #repeatAlarm: Alarm | null = null;
  #deadlineAlarm: Alarm | null = null;
  readonly #surroundings: TransactionSurroundings;

  constructor(surroundings: TransactionSurroundings, options: TransactionOptions) {
    this.kind = options.kind;
    this.key = options.key;
    this.request = options.request;
    this.destination = options.destination;
    this.user = options.user;
    this.#surroundings = surroundings;
    this.#intervalMs = surroundings.timerValues.t1;
    this.#state = FIRST_STATE[options.kind];
    this.#setTimers({ on: {} }, this.#spec);
  }

  get state(): TransactionState {
    return this.#state;
  }

  /** The message was sent more than once: a copy whose delivery fails says nothing about those before. */
  get isRepeated(): boolean {
    return this.#isRepeated;
  }

  /** Client: sends the request for the first time. */
  start(): void {
    this.#lastSent = serialiseMessage(this.request);
    this.#sendLast();
  }

  /** Applies an event; an event that the table does not list for the state is ignored. */
  apply(event: TransactionEvent, occasion: Occasion = {}): void {
    const step = transactionStep(this.kind, this.#state, event);
    if (!step) return;
    if (event === 'repeat-timer') {
      this.#repeatAlarm = null;
      this.#isRepeated = true;
    }
    const before = this.#spec;
    const hasMoved = step.next !== this.#state;
    this.#state = step.next;
    if (hasMoved) this.#setTimers(before, this.#spec);
    for (const effect of step.effects) this.#perform(effect, occasion);
    if (event === 'repeat-timer') this.#scheduleRepeat(this.#spec.repeat);
    if (hasMoved && step.next === 'terminated') this.#end();
  }

  /** The connection broke after the message was sent, which may have arrived: BYE and CANCEL are sent once more, over a new one. */
  connectionLost(): void {
    const isAwaited = this.#state === 'trying' || this.#state === 'proceeding';
    if (this.kind !== 'client' || !isAwaited || this.#isRepeated || !SENT_AGAIN.has(this.request.method))
      return;
    this.#isRepeated = true;
    this.#sendLast();
  }

  /** Ends the transaction in any state without a report. */
  drop(): void {
    if (this.#state === 'terminated') return;
    const before = this.#spec;
    this.#state = 'terminated';
    this.#setTimers(before, this.#spec);
    this.#end();
  }

  get #spec(): StateSpec {
    return TRANSACTION_TABLES[this.kind][this.#state] ?? { on: {} };
  }

  get #isReliable(): boolean {
    return isStream(this.destination.transport);
  }

  #end(): void {
    this.#surroundings.forget(this);
    this.user.onEnd?.();
  }

  #sendLast(): void {
    if (this.#lastSent) this.#surroundings.send(this.#lastSent, this.destination, this.key);
  }

  #perform(effect: TransactionEffect, occasion: Occasion): void {
    switch (effect) {
      case 'send':
        this.#lastSent = occasion.response ?? null;
        return this.#sendLast();
      case 'repeat':
        return this.#sendLast();
      case 'acknowledge':
        return this.#acknowledge(occasion.received);
      case 'report':
        if (occasion.received) this.user.onMessage?.(occasion.received);
        return;
      case 'report-timeout':
        return this.user.onTimeout?.();
      case 'report-fault':
        return this.user.onFault?.();
    }
  }

  #acknowledge(received: Received | undefined): void {
    if (!received || !isResponse(received)) return;
    const ack = serialiseMessage(ackForFailure(this.request, received.message));
    this.#surroundings.send(ack, this.destination, this.key);
  }

  #setTimers(before: StateSpec, after: StateSpec): void {
    if (before.repeat === undefined || after.repeat === undefined) {
      this.#repeatAlarm?.cancel();
      this.#repeatAlarm = null;
      this.#scheduleRepeat(after.repeat);
    }
    if (before.deadlineName !== after.deadlineName) {
      this.#deadlineAlarm?.cancel();
      this.#deadlineAlarm = after.deadline ? this.#after(this.#lengthMs(after.deadline), 'deadline') : null;
    }
  }

  #scheduleRepeat(timer: RepeatTimer | undefined): void {
    if (timer === undefined || this.#isReliable) return;
    const { t2 } = this.#surroundings.timerValues;
    if (timer === 'every-t2') this.#intervalMs = t2;
    this.#repeatAlarm = this.#after(this.#intervalMs, 'repeat-timer');
    const doubled = this.#intervalMs * 2;
    this.#intervalMs = timer === 'doubling' ? doubled : Math.min(doubled, t2);
  }

  #lengthMs(deadline: Deadline): number {
    const { t1, t4 } = this.#surroundings.timerValues;
    if (deadline === '64-t1') return 64 * t1;
    if (this.#isReliable) return 0;
    return { 'linger-32s': 32_000, 'linger-64-t1': 64 * t1, 'linger-t4': t4 }[deadline];
  }

  #after(delayMs: number, event: TransactionEvent): Alarm {
    return this.#surroundings.timers.set(this.#surroundings.nowMs() + delayMs, () => this.apply(event));
  }
}
