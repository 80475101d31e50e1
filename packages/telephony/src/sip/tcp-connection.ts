/**
 * One TCP or TLS connection that carries SIP: framing, keep-alives, an idle limit, and messages that wait for it to open.
 */
import type { Socket } from 'node:net';
import type { Clock, Timer } from '@parley/runtime';
import { StreamFramer, type Destination } from '@parley/sip';
import type { OnFailed } from './transport.ts';

/** A connection that is not established within this time has failed, milliseconds. */
const CONNECT_LIMIT_MS = 5000;
/** A connection on which no message has ever arrived is closed after this time, milliseconds. */
const FIRST_MESSAGE_LIMIT_MS = 60_000;
/**
 * A connection that has carried a message is closed when no data has arrived for this time, milliseconds. It is longer than
 * most calls: a peer behind NAT can be reached through its own connection only.
 */
const IDLE_LIMIT_MS = 1_800_000;
/** Delay before the system probes an idle connection (TCP keep-alive), milliseconds. */
const KEEP_ALIVE_MS = 30_000;
/** How long the peer may take to close its side of a connection that we have ended, milliseconds. */
const END_LIMIT_MS = 5000;
/** How long the sender of a message waits for the answer, and so for the loss of the connection: 64*T1, milliseconds. */
const AWAITED_MS = 32_000;
/** Limit of unsent data; beyond it sending fails, bytes. */
const MAX_BACKLOG_BYTES = 1024 * 1024;

const PONG = '\r\n';

/** Receives the events of a connection. */
export interface ConnectionListener {
  onMessage(bytes: Uint8Array, source: Destination): void;
  onClosed(): void;
}

/** The configuration of a connection. */
interface ConnectionOptions {
  clock: Clock;
  listener: ConnectionListener;
  /** The event with which the socket may be used; null: it is open. */
  opensWith: 'connect' | 'secureConnect' | null;
}

/** Owns its socket. */
export class TcpConnection {
  readonly source: Destination;
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #framer = new StreamFramer();
  readonly #listener: ConnectionListener;
  /**
   * Messages that wait for the connection. They are not handed to the socket before it is open: over TLS, the certificate of the
   * peer is verified first.
   */
  readonly #waiting: { bytes: Uint8Array; onFailed: OnFailed }[] = [];
  #waitingBytes = 0;
  /** The senders of the latest messages, oldest first: what the socket has taken is lost if the connection breaks. */
  readonly #sent: { atMs: number; onFailed: OnFailed }[] = [];
  #limit: Timer;
  #lastByteAtMs: number;
  #isOpen: boolean;
  /** Whether a message has been received or sent. */
  #isInUse = false;

  constructor(socket: Socket, source: Destination, options: ConnectionOptions) {
    this.source = source;
    this.#socket = socket;
    this.#clock = options.clock;
    this.#listener = options.listener;
    this.#isOpen = options.opensWith === null;
    this.#lastByteAtMs = options.clock.monotonic();
    this.#limit = options.clock.after(this.#isOpen ? FIRST_MESSAGE_LIMIT_MS : CONNECT_LIMIT_MS, () =>
      this.#checkLimit(),
    );
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    if (options.opensWith !== null) socket.on(options.opensWith, () => this.#opened());
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    // An error is always followed by `close`, which is handled below.
    socket.on('error', () => {});
    socket.on('close', () => this.#closed());
  }

  /** False once it is closed, or ended by us. */
  get isUsable(): boolean {
    return !this.#socket.destroyed && !this.#socket.writableEnded;
  }

  send(bytes: Uint8Array, onFailed: OnFailed): void {
    const backlogBytes = this.#socket.writableLength + this.#waitingBytes;
    if (!this.isUsable || backlogBytes > MAX_BACKLOG_BYTES) return onFailed('unsent');
    this.#isInUse = true;
    if (this.#isOpen) return this.#write(bytes, onFailed);
    this.#waiting.push({ bytes, onFailed });
    this.#waitingBytes += bytes.length;
  }

  close(): void {
    this.#socket.destroy();
  }

  #opened(): void {
    this.#isOpen = true;
    for (const { bytes, onFailed } of this.#waiting.splice(0)) this.#write(bytes, onFailed);
    this.#waitingBytes = 0;
    this.#limit.cancel();
    this.#limit = this.#clock.after(IDLE_LIMIT_MS, () => this.#checkLimit());
  }

  #write(bytes: Uint8Array, onFailed: OnFailed): void {
    const atMs = this.#clock.monotonic();
    while (this.#sent[0] && this.#sent[0].atMs <= atMs - AWAITED_MS) this.#sent.shift();
    this.#sent.push({ atMs, onFailed });
    this.#socket.write(bytes);
  }

  #receive(chunk: Uint8Array): void {
    this.#lastByteAtMs = this.#clock.monotonic();
    try {
      for (const frame of this.#framer.push(chunk)) {
        if (frame.type === 'ping') this.#socket.write(PONG);
        if (frame.type === 'ping' || frame.type === 'pong') continue;
        this.#isInUse = true;
        this.#listener.onMessage(frame.bytes, this.source);
        if (frame.type === 'last-message') this.#end();
      }
    } catch {
      // The stream cannot be split into messages any more (RFC 3261 section 18.3), so the connection is useless.
      this.close();
    }
  }

  /**
   * The answer to the last message has been sent, and nothing behind that message can be read. What still arrives is read and dropped: a
   * socket that is closed with unread bytes resets the connection, and the peer could lose the answer.
   */
  #end(): void {
    this.#limit.cancel();
    this.#limit = this.#clock.after(END_LIMIT_MS, () => this.close());
    this.#socket.end();
  }

  #checkLimit(): void {
    const leftMs = this.#lastByteAtMs + IDLE_LIMIT_MS - this.#clock.monotonic();
    if (!this.#isOpen || !this.#isInUse || leftMs <= 0) return this.close();
    this.#limit = this.#clock.after(leftMs, () => this.#checkLimit());
  }

  #closed(): void {
    this.#limit.cancel();
    const unsent = this.#waiting.splice(0);
    const lost = this.#sent.splice(0);
    this.#listener.onClosed();
    for (const { onFailed } of unsent) onFailed('unsent');
    for (const { onFailed } of lost) onFailed('lost');
  }
}
