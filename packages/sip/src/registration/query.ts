/**
 * Asks a far end outside of any dialog, without changing anything there: OPTIONS (RFC 3261 section 11), or a REGISTER without
 * Contact, which returns the registered addresses (section 10.2.3). Challenges are answered as for other requests.
 */
import { ALLOW, type AgentCore } from '../dialog/agent-core.ts';
import { Authenticator, type ChallengeRefusal } from '../dialog/authentication.ts';
import { buildRequest } from '../message/build-request.ts';
import { isResponse, type Destination, type Received } from '../message/destination.ts';
import type { Credentials } from '../message/digest.ts';
import type { HeaderField, SipResponse } from '../message/message.ts';
import { nameAddr } from '../message/name-addr.ts';
import { randomToken } from '../message/random.ts';
import type { Transaction } from '../transaction/transaction.ts';

/** The question. */
export interface SipQuery {
  method: 'OPTIONS' | 'REGISTER';
  uri: string;
  from: string;
  to: string;
  destination: Destination;
  /** Null: a challenge is the answer. */
  credentials: Credentials | null;
}

/** How it ended. */
export type QueryOutcome =
  /** `refusal`: why a 401 or 407 is final; null for any other status. */
  | { by: 'response'; response: SipResponse; wasChallenged: boolean; refusal: ChallengeRefusal | null }
  | { by: 'no-response' }
  | { by: 'transport' }; // the message could not be sent

const CALL_ID_BYTES = 16;
const ACCEPT: HeaderField = { name: 'Accept', value: 'application/sdp' };

/** A question under way, with its repetitions that answer challenges. */
export class SentQuery {
  readonly #core: AgentCore;
  readonly #query: SipQuery;
  readonly #onOutcome: (outcome: QueryOutcome) => void;
  readonly #authenticator: Authenticator;
  readonly #callId: string;
  readonly #tag: string;
  #sequence = 0;
  #wasChallenged = false;
  #transaction: Transaction;

  /** Sends it; `onOutcome` is called once, later, unless {@link drop} is called before. */
  constructor(core: AgentCore, query: SipQuery, onOutcome: (outcome: QueryOutcome) => void) {
    this.#core = core;
    this.#query = query;
    this.#onOutcome = onOutcome;
    this.#authenticator = new Authenticator(query.credentials, core.random);
    this.#callId = randomToken(core.random, CALL_ID_BYTES);
    this.#tag = core.newTag();
    this.#transaction = this.#send();
  }

  /** Ends its retransmissions; a response that comes later matches nothing. */
  drop(): void {
    this.#transaction.drop();
  }

  #send(): Transaction {
    const { method, uri, from, to, destination } = this.#query;
    const request = buildRequest({
      method,
      uri,
      callId: this.#callId,
      sequence: (this.#sequence += 1),
      from: nameAddr(from, { tag: this.#tag }),
      to: nameAddr(to),
      headers: [
        ...this.#authenticator.headersFor(method, uri),
        ...(method === 'OPTIONS' ? [this.#core.contact(destination), ACCEPT] : []),
        ALLOW,
        { name: 'User-Agent', value: this.#core.options.userAgent },
      ],
    });
    return this.#core.transactions.startClient(request, destination, {
      onMessage: (received) => isResponse(received) && this.#take(received),
      onTimeout: () => this.#onOutcome({ by: 'no-response' }),
      onFault: () => this.#onOutcome({ by: 'transport' }),
    });
  }

  #take({ message }: Received<SipResponse>): void {
    const { status } = message;
    if (status < 200) return;
    const isChallenge = status === 401 || status === 407;
    if (isChallenge && this.#authenticator.accept(message)) {
      this.#wasChallenged = true;
      this.#transaction = this.#send();
      return;
    }
    const refusal = isChallenge ? this.#authenticator.refusalOf(message) : null;
    this.#onOutcome({ by: 'response', response: message, wasChallenged: this.#wasChallenged, refusal });
  }
}
