/**
 * SIP over UDP: one socket, one datagram per message (RFC 3261 section 18.1). Deviation: section 18.1.1 requires a
 * congestion-controlled transport for requests larger than 1300 bytes; we use the transport that the trunk is configured
 * for, and our requests stay below that size.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Destination } from '@parley/sip';
import type { OnFailed, Transport, TransportOptions } from './transport.ts';

/** Receive buffer for the time in which the process is busy: about one second of a busy trunk, bytes. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

/** Binds one UDP socket. */
export class UdpTransport implements Transport {
  readonly #options: TransportOptions;
  #socket: Socket | null = null;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  async open(): Promise<number> {
    const { host, port, onFault } = this.#options;
    const socket = createSocket({
      type: isIPv6(host) ? 'udp6' : 'udp4',
      recvBufferSize: RECEIVE_BUFFER_BYTES,
    });
    socket.bind(port, host);
    await once(socket, 'listening').catch((error: unknown) => {
      socket.close();
      throw error;
    });
    socket.on('error', onFault);
    socket.on('message', (bytes, remote) => this.#receive(bytes, remote));
    this.#socket = socket;
    return socket.address().port;
  }

  send(bytes: Uint8Array, destination: Destination, onFailed: OnFailed): void {
    if (!this.#socket) return onFailed('unsent');
    try {
      this.#socket.send(bytes, destination.port, destination.host, (error) => error && onFailed('unsent'));
    } catch {
      // The port is 0 or the address is of the other family.
      onFailed('unsent');
    }
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.close();
    await once(socket, 'close');
  }

  #receive(bytes: Uint8Array, remote: RemoteInfo): void {
    const source = { transport: 'udp', host: remote.address, port: remote.port, connectionId: null } as const;
    this.#options.onMessage(bytes, source);
  }
}
