/**
 * Matches messages to transactions (RFC 3261 sections 17.1.3 and 17.2.3) and starts new ones.
 */
import { serialiseMessage } from '../message/serialise-message.ts';
import {
  defaultPort,
  isStream,
  type Destination,
  type Received,
  type TransportFault,
} from '../message/destination.ts';
import type { Envelope } from '../message/envelope.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import { randomToken, type RandomSource } from '../message/random.ts';
import type { TimerQueue } from './timer-queue.ts';
import { Transaction, type SendMessage, type TimerValues, type TransactionUser } from './transaction.ts';
import type { TransactionEvent, TransactionState } from './transaction-states.rules.ts';
import { addressFor, type OwnAddress } from '../message/own-address.ts';
import { BRANCH_COOKIE, formatVia } from '../message/via.ts';

const AWAITING: ReadonlySet<TransactionState> = new Set(['calling', 'trying', 'proceeding']);

/** What the layer uses of its agent. */
export interface LayerSurroundings {
  readonly timers: TimerQueue;
  readonly timerValues: TimerValues;
  readonly random: RandomSource;
  /** The address in our Via. */
  readonly address: OwnAddress;
  readonly send: SendMessage;
  nowMs(): number;
}

/** All transactions of one agent. */
export class TransactionLayer {
  readonly #surroundings: LayerSurroundings;
  readonly #clients = new Map<string, Transaction>();
  readonly #servers = new Map<string, Transaction>();
  /** Requests outside a dialog by identity, to detect merged requests (section 8.2.2.2). */
  readonly #identities = new Map<string, string>();

  constructor(surroundings: LayerSurroundings) {
    this.#surroundings = surroundings;
  }

  /** How many transactions exist. */
  get size(): number {
    return this.#clients.size + this.#servers.size;
  }

  /** How many of them are server transactions. */
  get serverCount(): number {
    return this.#servers.size;
  }

  /** How many client transactions wait for a final response. */
  get awaited(): number {
    let count = 0;
    for (const { state } of this.#clients.values()) if (AWAITING.has(state)) count += 1;
    return count;
  }

  /** Sends a request in a new client transaction. Our Via is added, except to a CANCEL, which has that of its INVITE. */
  startClient(request: SipRequest, destination: Destination, user: TransactionUser): Transaction {
    const branch = request.method === 'CANCEL' ? branchOf(request) : this.#newBranch();
    const full = request.method === 'CANCEL' ? request : this.#withVia(request, destination, branch);
    const kind = request.method === 'INVITE' ? 'invite-client' : 'client';
    const key = clientKey(branch, request.method);
    const transaction = new Transaction(this.#transactionSurroundings(this.#clients), {
      kind,
      key,
      request: full,
      destination,
      user,
    });
    this.#clients.set(key, transaction);
    transaction.start();
    return transaction;
  }

  /** The bytes of an ACK for a 2xx, with a new branch: it has no response (section 17). */
  statelessRequest(request: SipRequest, destination: Destination): Uint8Array {
    return serialiseMessage(this.#withVia(request, destination, this.#newBranch()));
  }

  /** Passes a response to its client transaction; false if there is none. */
  takeResponse(received: Received<SipResponse>): boolean {
    const { topVia, sequence } = received.envelope;
    const transaction = this.#clients.get(clientKey(topVia.params.get('branch') ?? '', sequence.method));
    transaction?.apply(responseEvent(received.message.status), { received });
    return transaction !== undefined;
  }

  /** Passes a retransmitted request or an ACK to its server transaction; false if there is none. */
  takeRequest(received: Received<SipRequest>): boolean {
    const transaction = this.#servers.get(serverKey(received, received.message.method));
    transaction?.apply(received.message.method === 'ACK' ? 'ack' : 'request', { received });
    return transaction !== undefined;
  }

  /** The INVITE transaction that a CANCEL refers to, undefined if there is none. */
  findCancelled(cancel: Received<SipRequest>): Transaction | undefined {
    return this.#servers.get(serverKey(cancel, 'INVITE'));
  }

  /** True if the same request is in another transaction already: it was forked and arrived over two paths. */
  isMerged(received: Received<SipRequest>): boolean {
    return received.envelope.toTag === null && this.#identities.has(identityOf(received.envelope));
  }

  /** Starts the server transaction of a new request (not ACK). */
  startServer(received: Received<SipRequest>, user: TransactionUser): Transaction {
    const key = serverKey(received, received.message.method);
    const identity = received.envelope.toTag === null ? identityOf(received.envelope) : null;
    const transaction = new Transaction(this.#transactionSurroundings(this.#servers, identity), {
      kind: received.message.method === 'INVITE' ? 'invite-server' : 'server',
      key,
      request: received.message,
      destination: responseDestination(received),
      user,
    });
    this.#servers.set(key, transaction);
    if (identity !== null && !this.#identities.has(identity)) this.#identities.set(identity, key);
    return transaction;
  }

  /** The transport could not deliver what was sent under this reference, or its connection broke before the response. */
  transportFailed(reference: string, fault: TransportFault): void {
    const transaction = this.#clients.get(reference) ?? this.#servers.get(reference);
    if (fault === 'lost') transaction?.connectionLost();
    else transaction?.apply('transport-fault');
  }

  #newBranch(): string {
    return BRANCH_COOKIE + randomToken(this.#surroundings.random, 12);
  }

  #withVia(request: SipRequest, destination: Destination, branch: string): SipRequest {
    const params = new Map([
      ['branch', branch],
      ['rport', null],
    ] as const);
    const { transport } = destination;
    const address = addressFor(this.#surroundings.address, transport);
    const via = { transport: transport.toUpperCase(), ...address, params };
    return { ...request, headers: [{ name: 'Via', value: formatVia(via) }, ...request.headers] };
  }

  #transactionSurroundings(home: Map<string, Transaction>, identity: string | null = null) {
    const { timers, timerValues, send } = this.#surroundings;
    return {
      timers,
      timerValues,
      send,
      nowMs: () => this.#surroundings.nowMs(),
      forget: (transaction: Transaction) => {
        home.delete(transaction.key);
        // A merged request ends before the one that it repeats.
        if (identity !== null && this.#identities.get(identity) === transaction.key)
          this.#identities.delete(identity);
      },
    };
  }
}

function responseEvent(status: number): TransactionEvent {
  if (status < 200) return 'provisional';
  return status < 300 ? 'success' : 'failure';
}

function clientKey(branch: string, method: string): string {
  return `c ${branch} ${method}`;
}

/** An ACK for a failure matches its INVITE. Requests that follow RFC 2543 have no unique branch; their identity is used. */
function serverKey({ message, envelope }: Received<SipRequest>, ofMethod: string): string {
  const method = ofMethod === 'ACK' ? 'INVITE' : ofMethod;
  const { topVia } = envelope;
  const branch = topVia.params.get('branch') ?? '';
  const sentBy = `${topVia.host}:${topVia.port ?? 5060}`;
  if (branch.startsWith(BRANCH_COOKIE) && branch !== BRANCH_COOKIE) return `s ${branch} ${sentBy} ${method}`;
  return `s ${identityOf(envelope, method)} ${message.uri} ${formatVia(topVia)}`;
}

function identityOf({ callId, fromTag, sequence }: Envelope, method = sequence.method): string {
  return `${callId} ${fromTag ?? ''} ${sequence.number} ${method}`;
}

function branchOf(request: SipRequest): string {
  const via = request.headers.find((field) => field.name === 'Via')?.value ?? '';
  return /;branch=([^;,\s]+)/i.exec(via)?.[1] ?? '';
}

/**
 * Responses return to the source of the request (RFC 3261 section 18.2.2, RFC 3581): over its connection, or to its source
 * address, with the port of Via unless the sender asks for `rport`. `maddr` is ignored: it would let an attacker direct our
 * packets at a third party. Once the connection is closed, section 18.2.2 has the server open one to that address, "using the port in
 * the "sent-by" value, or the default port for that transport, if no port is specified."
 */
export function responseDestination({ envelope, source }: Received): Destination {
  const { topVia } = envelope;
  if (isStream(source.transport)) return { ...source, viaPort: topVia.port ?? defaultPort(source.transport) };
  if (topVia.params.has('rport')) return source;
  return { ...source, port: topVia.port ?? 5060 };
}
