/**
 * One WebSocket of the admin app: whose it is, what it may have open and send, and when it ends. It ends with its session. A
 * connection that has died without a word is ended by the heartbeat of tRPC (mount.ts), which releases what was counted.
 */
import { DomainError, type FoundSession } from '@parley/core';
import { MessageAllowance, pause, type Clock, type MessageRate, type Timer } from '@parley/runtime';
import type { WebSocket } from 'ws';
import { OpenStreams } from '../http/open-streams.ts';
import type { SessionWatch } from '../session-watch.ts';

/** Sockets of one user in a process: each open tab of the admin app has one. */
export const MOST_OF_USER = 50;
/** Sockets of one network address whose session is not known yet. */
export const MOST_UNKNOWN = 100;
/** How long a socket may be open without a session, milliseconds. */
const UNKNOWN_LIMIT_MS = 10_000;
/** Subscriptions of one socket; the admin app has one. */
export const MOST_SUBSCRIPTIONS = 20;
/** The admin app sends one message every 15 s and a few when a page opens. */
const MESSAGES: MessageRate = { burst: 100, perSecond: 5 };
/** Bytes that wait to be sent before a subscription pauses. */
const MOST_UNSENT = 1_000_000;
/** How long a client may take to read them, milliseconds. */
const READ_LIMIT_MS = 30_000;
/** How often is looked whether it has read them, milliseconds. */
const READ_LOOK_MS = 100;

/** WebSocket close code "policy violation" (RFC 6455, section 7.4.1). */
const CLOSE_POLICY = 1008;

/** What the sockets of a process share. */
export interface AppSocketParts {
  clock: Clock;
  sessions: SessionWatch;
  /** The sockets without a session, counted by network address. */
  unknown: OpenStreams;
  ofUser: OpenStreams;
}

/** A fresh set of counts. */
export function createSocketCounts(): Pick<AppSocketParts, 'unknown' | 'ofUser'> {
  return {
    unknown: new OpenStreams(MOST_UNKNOWN, 'connections without a session'),
    ofUser: new OpenStreams(MOST_OF_USER, 'live connections'),
  };
}

/** The part of a `WebSocket` that is used here. */
export type ClientSocket = Pick<
  WebSocket,
  'on' | 'once' | 'close' | 'terminate' | 'bufferedAmount' | 'readyState' | 'OPEN'
>;

/** What a subscription gets. */
export interface SubscriptionScope {
  /** Aborted when the subscription, its socket or its session has ended. */
  ended: AbortSignal;
  /** Must be called when the subscription has failed to start. */
  leave(): void;
}

export class AppSocket {
  readonly #client: ClientSocket;
  readonly #parts: AppSocketParts;
  readonly #closed = new AbortController();
  /** Ends a socket without a session. */
  readonly #limit: Timer;
  #ended: AbortSignal = this.#closed.signal;
  #subscriptions = 0;
  /** Releases the present count. */
  #leave: () => void;

  /** @param leave - releases its count among those without a session; called once */
  constructor(client: ClientSocket, parts: AppSocketParts, leave: () => void) {
    this.#client = client;
    this.#parts = parts;
    this.#leave = leave;
    const allowance = new MessageAllowance(parts.clock, MESSAGES);
    client.on('message', () => {
      if (!allowance.take()) client.terminate();
    });
    this.#limit = parts.clock.after(UNKNOWN_LIMIT_MS, () => client.terminate());
    client.once('close', () => {
      this.#limit.cancel();
      this.#closed.abort();
      this.#leave();
    });
  }

  /**
   * From now on the socket counts for a user, and ends with the session.
   *
   * @throws DomainError `too-many` for a user with too many sockets
   */
  belongTo({ userId, signInId }: FoundSession): void {
    if (this.#closed.signal.aborted) return;
    const leave = this.#parts.ofUser.enter(userId);
    this.#leave();
    this.#leave = leave;
    this.#limit.cancel();
    this.#ended = this.#parts.sessions.untilEnded(signInId, this.#closed.signal);
    const close = (): void => {
      if (!this.#closed.signal.aborted) this.#client.close(CLOSE_POLICY, 'The session has ended');
    };
    this.#ended.addEventListener('abort', close, { once: true });
  }

  /**
   * Counts a subscription until it ends.
   *
   * @param signal - aborted when its client stops it; not when tRPC refuses it after it was opened, so that it then counts until
   *   the socket closes
   * @throws DomainError `too-many`
   */
  subscribe(signal: AbortSignal): SubscriptionScope {
    if (this.#subscriptions >= MOST_SUBSCRIPTIONS)
      throw new DomainError(
        'too-many',
        `This connection has ${MOST_SUBSCRIPTIONS} subscriptions, which is the limit.`,
      );
    this.#subscriptions++;
    const failed = new AbortController();
    const ended = AbortSignal.any([signal, this.#ended, failed.signal]);
    const release = (): void => {
      this.#subscriptions--;
    };
    if (ended.aborted) release();
    else ended.addEventListener('abort', release, { once: true });
    return { ended, leave: () => failed.abort() };
  }

  /** Passes rows on as fast as the client reads them, and ends a connection that does not read. */
  async *paced<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row, void, undefined> {
    for await (const row of rows) {
      yield row;
      await this.#untilRead();
    }
  }

  async #untilRead(): Promise<void> {
    const { clock } = this.#parts;
    const until = clock.monotonic() + READ_LIMIT_MS;
    while (this.#client.bufferedAmount > MOST_UNSENT && !this.#ended.aborted) {
      if (clock.monotonic() >= until) return this.#client.terminate();
      await pause(clock, READ_LOOK_MS, this.#ended);
    }
  }
}
