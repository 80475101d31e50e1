/**
 * A loopback server that stands for a provider and can be told to misbehave. What is served, over HTTP and on sockets,
 * is for those who extend it; what came is kept, so that a test can wait for it.
 */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pause, type Clock } from '@parley/runtime';
import { WebSocketServer, type WebSocket } from 'ws';
import { dueFault, misbehaveOnSocket, misbehaveOverHttp, type SimulatedFault } from './simulated-fault.ts';
import { describeRequest, readRequest, type SimulatedRequest } from './simulated-request.ts';

/** A reply in the pieces in which it goes over the wire. */
export interface SimulatedReply {
  contentType: string;
  pieces: readonly (string | Uint8Array)[];
}

/** The pace of a simulated provider. */
export interface SimulatorOptions {
  clock: Clock;
  /** Before the first piece of each reply, milliseconds. */
  firstAfterMs?: number;
  /** Between pieces, milliseconds. */
  eachAfterMs?: number;
  /** What goes wrong with a request because of what it asks, beside {@link ProviderSimulator.failNext}. */
  faultFor?: (request: SimulatedRequest) => SimulatedFault | undefined;
}

/** The provider's side of one socket. */
export interface SimulatedTalk {
  message?(message: Record<string, unknown>): void;
  sound?(bytes: Buffer): void;
}
/** Sends one message, unless a fault says otherwise. */
export type SendMessage = (message: Record<string, unknown>) => void;
/** Ends a socket in good order. */
export type CloseSocket = (code: number, reason: string) => void;

/** Serves one request after the other, several at once. */
export abstract class ProviderSimulator {
  readonly requests: SimulatedRequest[] = [];
  readonly #options: SimulatorOptions;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #faults: SimulatedFault[] = [];
  readonly #arrivals = new EventEmitter();

  constructor(options: SimulatorOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    this.#server.on('upgrade', (request, stream, head) => this.#upgrade(request, stream, head));
  }

  /** Null: there is nothing at this path. */
  protected abstract reply(request: SimulatedRequest): SimulatedReply | null;
  /** Null: there is no socket at this path. */
  protected talk(_request: SimulatedRequest, _send: SendMessage, _close: CloseSocket): SimulatedTalk | null {
    return null;
  }
  /** Whether messages are sent as bytes. */
  protected readonly sendsBytes: boolean = false;

  /** Listens on loopback, on a port of the system's choice. */
  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Where clients find it, without a path. */
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Faults are used up by the next replies and sockets, in order. */
  failNext(...faults: SimulatedFault[]): void {
    this.#faults.push(...faults);
  }

  /** Resolves when the request of this number (from 0) has come. */
  async request(index: number): Promise<SimulatedRequest> {
    await this.until(() => this.requests.length > index);
    return this.requests[index] as SimulatedRequest;
  }

  /** Resolves when a condition on what has come holds. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await once(this.#arrivals, 'something');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const outcome = once(response, 'close').then(() => (response.writableFinished ? 'finished' : 'aborted'));
    const received: SimulatedRequest = { ...(await readRequest(request)), outcome };
    const fault = this.#arrived(received);
    const reply = fault?.type === 'status' ? null : this.reply(received);
    if (reply) return this.#send(response, reply, fault);
    const { status, message } = fault?.type === 'status' ? fault : UNKNOWN_PATH;
    response.writeHead(status, { 'content-type': 'application/json' }).end(errorBody(message));
  }

  #arrived(received: SimulatedRequest): SimulatedFault | undefined {
    this.requests.push(received);
    this.#arrivals.emit('something');
    return this.#options.faultFor?.(received) ?? this.#faults.shift();
  }

  async #send(response: ServerResponse, reply: SimulatedReply, fault?: SimulatedFault): Promise<void> {
    const { clock, firstAfterMs, eachAfterMs } = this.#options;
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    response.writeHead(200, { 'content-type': reply.contentType }).flushHeaders();
    for (const [index, piece] of reply.pieces.entries()) {
      const due = dueFault(fault, index);
      if (due) return misbehaveOverHttp(response, due);
      const firstMs = fault?.type === 'delay' ? fault.ms : firstAfterMs;
      const delayMs = index === 0 ? firstMs : eachAfterMs;
      if (delayMs) await pause(clock, delayMs, gone.signal);
      if (gone.signal.aborted) return;
      response.write(piece);
    }
    response.end();
  }

  #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const { promise: outcome, resolve } = Promise.withResolvers<'finished' | 'aborted'>();
    const received: SimulatedRequest = { ...describeRequest(request), outcome };
    stream.on('error', () => {}); // a client that breaks the connection; `close` follows
    const fault = this.#arrived(received);
    const sending = new SocketSender(fault, this.sendsBytes);
    const talk = fault?.type === 'status' ? null : this.talk(received, sending.send, sending.close);
    if (!talk) return refuse(stream, fault?.type === 'status' ? fault : UNKNOWN_PATH);
    this.#sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on('close', (code) => resolve(code === 1000 ? 'finished' : 'aborted'));
      socket.on('message', (data, isBinary) =>
        this.#hear(received, talk, { data: data as Buffer, isBinary }),
      );
      if (fault?.type === 'deaf') stream.pause();
      const delayMs = fault?.type === 'delay' ? fault.ms : 0;
      if (delayMs === 0) sending.open(socket, stream);
      else this.#options.clock.after(delayMs, () => sending.open(socket, stream));
    });
  }

  #hear(
    received: SimulatedRequest,
    talk: SimulatedTalk,
    { data, isBinary }: { data: Buffer; isBinary: boolean },
  ): void {
    if (isBinary) {
      received.soundBytes += data.length;
      talk.sound?.(data);
    } else {
      const message = JSON.parse(data.toString()) as Record<string, unknown>;
      received.messages.push(message);
      talk.message?.(message);
    }
    this.#arrivals.emit('something');
  }
}

const UNKNOWN_PATH = { status: 404, message: 'Unknown path' };

function errorBody(message: string): string {
  return JSON.stringify({ error: { message, type: 'simulated', param: null, code: null } });
}

function refuse(stream: Duplex, { status, message }: { status: number; message: string }): void {
  const body = errorBody(message);
  stream.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** Messages wait for the socket, and go wrong where the fault says. */
class SocketSender {
  readonly #fault: SimulatedFault | undefined;
  readonly #sendsBytes: boolean;
  #socket: WebSocket | null = null;
  #stream: Duplex | null = null;
  #waiting: Record<string, unknown>[] = [];
  #sent = 0;

  constructor(fault: SimulatedFault | undefined, sendsBytes: boolean) {
    this.#fault = fault;
    this.#sendsBytes = sendsBytes;
  }

  open(socket: WebSocket, stream: Duplex): void {
    this.#socket = socket;
    this.#stream = stream;
    for (const message of this.#waiting.splice(0)) this.send(message);
    this.#misbehave();
  }

  readonly send = (message: Record<string, unknown>): void => {
    if (!this.#socket) return void this.#waiting.push(message);
    if (this.#fault && 'after' in this.#fault && this.#sent >= this.#fault.after) return;
    this.#socket.send(JSON.stringify(message), { binary: this.#sendsBytes });
    this.#sent += 1;
    this.#misbehave();
  };

  readonly close = (code: number, reason: string): void => this.#socket?.close(code, reason);

  #misbehave(): void {
    const due = dueFault(this.#fault, this.#sent);
    if (due && this.#socket && this.#stream) misbehaveOnSocket(this.#socket, this.#stream, due);
  }
}
