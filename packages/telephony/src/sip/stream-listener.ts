/** The listening socket of SIP over TCP and over TLS. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { TransportOptions } from './transport.ts';

/** Opened and closed once. */
export class StreamListener {
  readonly #onSocket: (socket: Socket) => void;
  #server: Server | null = null;

  /** @param onSocket - receives each connection that a peer opens */
  constructor(onSocket: (socket: Socket) => void) {
    this.#onSocket = onSocket;
  }

  /** Returns the port. */
  async open({ host, port, onFault }: TransportOptions): Promise<number> {
    const server = createServer(this.#onSocket);
    server.listen(port, host);
    await once(server, 'listening');
    server.on('error', onFault);
    this.#server = server;
    const address = server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  /** Resolves after the last of its connections has closed. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (!server) return;
    server.close();
    await once(server, 'close');
  }
}
