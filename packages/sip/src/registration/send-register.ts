/**
 * Sends one REGISTER outside of any dialog and answers challenges to it (RFC 3261 sections 10.2 and 22.2).
 */
import type { AgentCore } from '../dialog/agent-core.ts';
import { isResponse, type Destination, type Received } from '../message/destination.ts';
import type { SipResponse } from '../message/message.ts';
import type { Transaction } from '../transaction/transaction.ts';
import type { Binding } from './binding.ts';
import { readOutcome, type RegisterOutcome } from './register-outcome.ts';

/** The request to send. */
export interface RegisterRequest {
  binding: Binding;
  destination: Destination;
  /** 0 removes the binding. */
  expiresSeconds: number;
}

/** A REGISTER under way, with its repetitions that answer challenges. */
export class SentRegister {
  readonly #core: AgentCore;
  readonly #request: RegisterRequest;
  readonly #onOutcome: (outcome: RegisterOutcome) => void;
  #transaction: Transaction;

  /** Sends it; `onOutcome` is called once, later, unless {@link drop} is called before. */
  constructor(core: AgentCore, request: RegisterRequest, onOutcome: (outcome: RegisterOutcome) => void) {
    this.#core = core;
    this.#request = request;
    this.#onOutcome = onOutcome;
    request.binding.authenticator.beginRequest();
    this.#transaction = this.#send();
  }

  /** Ends its retransmissions; a response that comes later matches nothing. */
  drop(): void {
    this.#transaction.drop();
  }

  #send(): Transaction {
    const { binding, destination, expiresSeconds } = this.#request;
    const request = binding.nextRequest(expiresSeconds, this.#core.options.userAgent);
    return this.#core.transactions.startClient(request, destination, {
      onMessage: (received) => isResponse(received) && this.#take(received),
      onTimeout: () => this.#end({ by: 'no-response' }),
      onFault: () => this.#end({ by: 'transport' }),
    });
  }

  #take({ message, envelope }: Received<SipResponse>): void {
    const { binding, expiresSeconds } = this.#request;
    const { status } = message;
    if (status < 200) return;
    if (!binding.isAnsweredBy(envelope)) return this.#end({ by: 'foreign-answer' });
    if (status !== 401 && status !== 407)
      return this.#end(readOutcome(message, { contactUri: binding.contactUri, expiresSeconds }));
    if (binding.authenticator.accept(message)) this.#transaction = this.#send();
    else this.#end({ by: 'challenge', status, refusal: binding.authenticator.refusalOf(message) });
  }

  #end(outcome: RegisterOutcome): void {
    if (outcome.by !== 'grant' && outcome.by !== 'too-brief') this.#request.binding.forgetChallenges();
    this.#onOutcome(outcome);
  }
}
