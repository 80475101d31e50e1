/**
 * SIP over TCP (RFC 3261 section 18): accepts connections, opens them when needed, and reuses an open connection to the
 * same address, whichever side has opened it.
 */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '@parley/runtime';
import type { Destination } from '@parley/sip';
import { StreamConnections } from './stream-connections.ts';
import type { Transport, TransportOptions } from './transport.ts';

/** One listening socket and its connections. */
export class TcpTransport implements Transport {
  readonly #options: TransportOptions & { clock: Clock };
  readonly #connections: StreamConnections;
  #server: Server | null = null;

  constructor(options: TransportOptions & { clock: Clock }) {
    this.#options = options;
    this.#connections = new StreamConnections({
      ...options,
      transport: 'tcp',
      connect: ({ host, port }) => connect({ host, port }),
    });
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
    this.#connections.send(bytes, destination, onFailed);
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.#connections.close();
    if (!server) return;
    server.close();
    await once(server, 'close');
  }

  #accept(socket: Socket): void {
    const host = this.#connections.admit(socket);
    const { remotePort: port } = socket;
    if (host !== null && port !== undefined) this.#connections.adopt(socket, { host, port });
  }
}
