/**
 * One TCP connection that carries SIP: framing, keep-alives, an idle limit, and the messages that wait for it to open.
 */
import type { Socket } from 'node:net';
import type { Clock, Timer } from '@parley/runtime';
import { StreamFramer, type Destination } from '@parley/sip';

/** A connection that cannot be made within this time counts as refused, milliseconds. */
const CONNECT_LIMIT_MS = 5000;
/** A connection without a byte for so long is closed, milliseconds; the next request opens another. */
const IDLE_LIMIT_MS = 3_600_000;
/** How often the system asks whether the other end still lives, milliseconds. */
const KEEP_ALIVE_MS = 30_000;
/** What a peer may leave unread before we give it up, bytes. */
const MAX_BACKLOG_BYTES = 1024 * 1024;

const PONG = '\r\n';

/** What a connection tells its transport. */
export interface ConnectionListener {
  onMessage(bytes: Uint8Array, source: Destination): void;
  onClosed(): void;
}

/** Owns its socket. */
export class TcpConnection {
  readonly source: Destination;
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #framer = new StreamFramer();
  readonly #listener: ConnectionListener;
  /** Told if the connection never opens. */
  readonly #waiting: (() => void)[] = [];
  #limit: Timer;
  #lastByteAtMs: number;
  #isOpen: boolean;

  constructor(socket: Socket, source: Destination, options: { clock: Clock; listener: ConnectionListener }) {
    this.source = source;
    this.#socket = socket;
    this.#clock = options.clock;
    this.#listener = options.listener;
    this.#isOpen = !socket.connecting;
    this.#lastByteAtMs = options.clock.monotonic();
    this.#limit = options.clock.after(this.#isOpen ? IDLE_LIMIT_MS : CONNECT_LIMIT_MS, () =>
      this.#checkLimit(),
    );
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.on('connect', () => this.#opened());
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    // The close that follows an error says everything we act upon.
    socket.on('error', () => {});
    socket.on('close', () => this.#closed());
  }

  send(bytes: Uint8Array, onFailed: () => void): void {
    if (this.#socket.destroyed || this.#socket.writableLength > MAX_BACKLOG_BYTES) return onFailed();
    if (!this.#isOpen) this.#waiting.push(onFailed);
    this.#socket.write(bytes);
  }

  close(): void {
    this.#socket.destroy();
  }

  #opened(): void {
    this.#isOpen = true;
    this.#waiting.length = 0;
    this.#limit.cancel();
    this.#limit = this.#clock.after(IDLE_LIMIT_MS, () => this.#checkLimit());
  }

  #receive(chunk: Uint8Array): void {
    this.#lastByteAtMs = this.#clock.monotonic();
    try {
      for (const frame of this.#framer.push(chunk)) {
        if (frame.type === 'message') this.#listener.onMessage(frame.bytes, this.source);
        else if (frame.type === 'ping') this.#socket.write(PONG);
      }
    } catch {
      // The stream cannot be cut into messages any more (section 18.3): only a new connection helps.
      this.close();
    }
  }

  #checkLimit(): void {
    const idleMs = this.#clock.monotonic() - this.#lastByteAtMs;
    if (!this.#isOpen || idleMs >= IDLE_LIMIT_MS) return this.close();
    this.#limit = this.#clock.after(IDLE_LIMIT_MS - idleMs, () => this.#checkLimit());
  }

  #closed(): void {
    this.#limit.cancel();
    const failed = this.#waiting.splice(0);
    this.#listener.onClosed();
    for (const onFailed of failed) onFailed();
  }
}
