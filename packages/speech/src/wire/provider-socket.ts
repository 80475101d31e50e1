/**
 * A WebSocket to a provider: messages are queued until it is open, received messages are JSON, and its end is reported
 * exactly once, as one of our kinds of errors. It does not depend on the protocol of the provider.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Clock, Timer } from '@parley/runtime';
import { WebSocket } from 'ws';
import { SpeechError } from '../ports.ts';
import { closeError, statusError, toSpeechError } from './provider-error.ts';

/** From the call to the open socket, milliseconds. */
const CONNECT_LIMIT_MS = 3000;
/** How much unsent data may be queued before the provider counts as stuck, bytes: half a minute of audio at 16 000 Hz. */
const UNREAD_LIMIT_BYTES = 1_000_000;
/** How long the socket waits for the reply to its close frame, milliseconds. */
const CLOSE_LIMIT_MS = 2000;
/** The largest message taken, bytes; sound comes in far smaller pieces. */
const MESSAGE_LIMIT_BYTES = 8_000_000;
const LIMITS = { perMessageDeflate: false, maxPayload: MESSAGE_LIMIT_BYTES, closeTimeout: CLOSE_LIMIT_MS };

/** The options of a socket. */
export interface ProviderSocketOptions {
  url: string;
  headers: Record<string, string>;
  /** Removed from error messages in case the server repeats it. */
  apiKey: string | null;
  clock: Clock;
  /** A parsed message. Not called after the end. */
  onMessage: (message: unknown) => void;
  /** The socket has failed or was closed by the provider. Not called after {@link ProviderSocket.close}. */
  onEnd: (error: SpeechError) => void;
}

/** Connects at once. */
export class ProviderSocket {
  readonly #options: ProviderSocketOptions;
  readonly #socket: WebSocket;
  readonly #connectTimer: Timer;
  #waiting: (string | Uint8Array)[] = [];
  #isOver = false;

  constructor(options: ProviderSocketOptions) {
    this.#options = options;
    const { url, headers, clock, apiKey } = options;
    this.#socket = new WebSocket(url, { headers, ...LIMITS });
    this.#connectTimer = clock.after(CONNECT_LIMIT_MS, () =>
      this.#fail(
        new SpeechError(
          'timed-out',
          `The provider did not accept the connection within ${CONNECT_LIMIT_MS} ms`,
        ),
      ),
    );
    this.#socket.on('open', () => this.#opened());
    this.#socket.on('message', (data) => this.#received(data as Buffer));
    this.#socket.on('unexpected-response', (request, response) => this.#refused(request, response));
    this.#socket.on('error', (error) => this.#fail(toSpeechError(error, apiKey)));
    this.#socket.on('close', (code, reason) => this.#fail(closeError(code, reason.toString(), { apiKey })));
  }

  /** Whether something sent now can still arrive. */
  get isUsable(): boolean {
    return !this.#isOver;
  }

  /** Sends bytes as they are, anything else as JSON. Nothing is sent after the end. */
  send(message: Uint8Array | Record<string, unknown>): void {
    if (this.#isOver) return;
    const data = message instanceof Uint8Array ? message : JSON.stringify(message);
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#waiting.push(data);
    else if (this.#socket.readyState === WebSocket.OPEN) this.#write(data);
  }

  /** Closes the socket; messages that were sent before still arrive. */
  close(): void {
    this.#end();
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#socket.terminate();
    else this.#socket.close(1000);
  }

  #opened(): void {
    this.#connectTimer.cancel();
    for (const data of this.#waiting) this.#write(data);
    this.#waiting = [];
  }

  #write(data: string | Uint8Array): void {
    this.#socket.send(data);
    if (this.#socket.bufferedAmount > UNREAD_LIMIT_BYTES)
      this.#fail(new SpeechError('timed-out', 'The provider has stopped reading'));
  }

  /** Some send their JSON as bytes. */
  #received(data: Buffer): void {
    if (this.#isOver) return;
    let message: unknown;
    try {
      message = JSON.parse(data.toString());
    } catch {
      message = null;
    }
    if (typeof message === 'object' && message !== null) this.#options.onMessage(message);
    else this.#fail(new SpeechError('unavailable', 'The provider sent what is not in its protocol'));
  }

  #refused(request: ClientRequest, response: IncomingMessage): void {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('close', () => {
      const { apiKey } = this.#options;
      this.#fail(statusError(response.statusCode ?? 0, Buffer.concat(chunks).toString(), { apiKey }));
      request.destroy();
    });
  }

  #fail(error: SpeechError): void {
    if (this.#isOver) return;
    this.#end();
    this.#socket.terminate();
    this.#options.onEnd(error);
  }

  #end(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#connectTimer.cancel();
  }
}
