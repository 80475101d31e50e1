/**
 * SIP over TCP (RFC 3261 section 18): accepts connections, opens them when needed, and reuses an open connection to the
 * same address, whichever side has opened it.
 */
import { connect, type Socket } from 'node:net';
import type { Clock } from '@parley/runtime';
import type { Destination } from '@parley/sip';
import { StreamConnections } from './stream-connections.ts';
import { StreamListener } from './stream-listener.ts';
import type { OnFailed, Transport, TransportOptions } from './transport.ts';

/** One listening socket and its connections. */
export class TcpTransport implements Transport {
  readonly #options: TransportOptions & { clock: Clock };
  readonly #connections: StreamConnections;
  readonly #listener = new StreamListener((socket) => this.#accept(socket));

  constructor(options: TransportOptions & { clock: Clock }) {
    this.#options = options;
    this.#connections = new StreamConnections({
      ...options,
      transport: 'tcp',
      connect: ({ host, port }) => connect({ host, port }),
    });
  }

  open(): Promise<number> {
    return this.#listener.open(this.#options);
  }

  send(bytes: Uint8Array, destination: Destination, onFailed: OnFailed): void {
    this.#connections.send(bytes, destination, onFailed);
  }

  /** Sends over an open connection and opens none. @returns false when that connection is closed */
  sendOver(connectionId: number, bytes: Uint8Array): boolean {
    return this.#connections.sendOver(connectionId, bytes);
  }

  async close(): Promise<void> {
    const closed = this.#listener.close();
    this.#connections.close();
    await closed;
  }

  #accept(socket: Socket): void {
    const host = this.#connections.admit(socket);
    const { remotePort: port } = socket;
    if (host !== null && port !== undefined) this.#connections.adopt(socket, { host, port });
  }
}
