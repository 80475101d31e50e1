/**
 * SIP over TCP (RFC 3261 section 18): accepts connections, opens them when needed, and reuses an open connection to the
 * same address, whichever side has opened it.
 */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '@parley/runtime';
import type { Destination } from '@parley/sip';
import { TcpConnection } from './tcp-connection.ts';
import type { Transport, TransportOptions } from './transport.ts';

/** Limit of concurrent connections; beyond it new ones are closed at once. */
const MAX_CONNECTIONS = 1000;
/** Limit of concurrent connections with one host: one source must not use up all of them. */
const MAX_CONNECTIONS_PER_HOST = 50;

/** One listening socket and its connections. */
export class TcpTransport implements Transport {
  readonly #options: TransportOptions & { clock: Clock };
  readonly #connections = new Map<number, TcpConnection>();
  readonly #byAddress = new Map<string, TcpConnection>();
  #server: Server | null = null;
  #nextId = 1;
  #isClosed = false;

  constructor(options: TransportOptions & { clock: Clock }) {
    this.#options = options;
  }

  async open(): Promise<number> {
    const { host, port, onFault } = this.#options;
    const server = createServer((socket) => this.#accept(socket));
    server.listen(port, host);
    await once(server, 'listening');
    server.on('error', onFault);
    this.#server = server;
    const address = server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  send(bytes: Uint8Array, destination: Destination, onFailed: () => void): void {
    if (this.#isClosed) return onFailed();
    const preferred = this.#connections.get(destination.connectionId ?? 0);
    const connection =
      preferred ?? this.#byAddress.get(addressKey(destination)) ?? this.#connect(destination);
    connection.send(bytes, onFailed);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const server = this.#server;
    this.#server = null;
    for (const connection of this.#connections.values()) connection.close();
    if (!server) return;
    server.close();
    await once(server, 'close');
  }

  #accept(socket: Socket): void {
    const { remoteAddress, remotePort } = socket;
    if (remoteAddress === undefined || remotePort === undefined || this.#isFull(remoteAddress)) {
      socket.on('error', () => {});
      socket.destroy();
      return;
    }
    this.#adopt(socket, { host: remoteAddress, port: remotePort });
  }

  #isFull(host: string): boolean {
    if (this.#connections.size >= MAX_CONNECTIONS) return true;
    const ofHost = [...this.#connections.values()].filter(({ source }) => source.host === host);
    return ofHost.length >= MAX_CONNECTIONS_PER_HOST;
  }

  #connect({ host, port }: Destination): TcpConnection {
    return this.#adopt(connect({ host, port }), { host, port });
  }

  #adopt(socket: Socket, { host, port }: { host: string; port: number }): TcpConnection {
    const connectionId = this.#nextId++;
    const source: Destination = { transport: 'tcp', host, port, connectionId };
    const connection = new TcpConnection(socket, source, {
      clock: this.#options.clock,
      listener: {
        onMessage: (bytes, from) => this.#options.onMessage(bytes, from),
        onClosed: () => this.#forget(connectionId, addressKey(source)),
      },
    });
    this.#connections.set(connectionId, connection);
    this.#byAddress.set(addressKey(source), connection);
    return connection;
  }

  #forget(connectionId: number, key: string): void {
    if (this.#byAddress.get(key) === this.#connections.get(connectionId)) this.#byAddress.delete(key);
    this.#connections.delete(connectionId);
  }
}

function addressKey({ host, port }: { host: string; port: number }): string {
  return `${host} ${port}`;
}
