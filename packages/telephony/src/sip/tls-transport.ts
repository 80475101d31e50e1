/**
 * SIP over TLS (RFC 3261 section 26.2): the connections, limits and idle rules of TCP, and on each connection that we open a
 * verified certificate of the peer. Certificates are not asked of those who connect to us: trunks are known by their address.
 */
import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect, createServer, type Server, type TLSSocket } from 'node:tls';
import { networkOf, type Clock, type Log } from '@parley/runtime';
import type { Destination } from '@parley/sip';
import { StreamConnections } from './stream-connections.ts';
import { StreamListener } from './stream-listener.ts';
import { TlsSettings, type TlsFiles } from './tls-settings.ts';
import type { OnFailed, Transport, TransportOptions } from './transport.ts';

/** A peer that has not finished its handshake within this time is disconnected, milliseconds. */
const HANDSHAKE_LIMIT_MS = 5000;

/** The configuration. */
export interface TlsTransportOptions extends TransportOptions {
  clock: Clock;
  log: Log;
  files: TlsFiles;
}

/** Listens if there is a certificate, and opens connections in any case. */
export class TlsTransport implements Transport {
  readonly #options: TlsTransportOptions;
  readonly #settings: TlsSettings;
  readonly #connections: StreamConnections;
  /** Connections before the end of their handshake. */
  readonly #shaking = new Map<Socket, string>();
  readonly #handshakes: Server;
  readonly #listener = new StreamListener((socket) => this.#accept(socket));

  constructor(options: TlsTransportOptions) {
    this.#options = options;
    this.#connections = new StreamConnections({
      ...options,
      transport: 'tls',
      connect: (destination) => this.#connect(destination),
      pendingOf: (network) =>
        [...this.#shaking.values()].filter((host) => network === null || networkOf(host) === network).length,
    });
    // It listens on no port: the limits of connections apply before it spends time on a handshake.
    this.#handshakes = createServer({ handshakeTimeout: HANDSHAKE_LIMIT_MS }, (socket) =>
      this.#adopt(socket),
    );
    // Scanners, and peers that do not trust our certificate. The socket is destroyed.
    this.#handshakes.on('tlsClientError', (_error, socket) => socket.destroy());
    this.#settings = new TlsSettings(options.files, options, (server) =>
      this.#handshakes.setSecureContext(server),
    );
  }

  async open(): Promise<number> {
    await this.#settings.open();
    return this.#settings.hasCertificate ? await this.#listener.open(this.#options) : this.#options.port;
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
    this.#settings.close();
    for (const socket of this.#shaking.keys()) socket.destroy();
    this.#connections.close();
    await closed;
  }

  #accept(socket: Socket): void {
    const host = this.#connections.admit(socket);
    if (host === null) return;
    this.#shaking.set(socket, host);
    socket.once('close', () => this.#shaking.delete(socket));
    this.#handshakes.emit('connection', socket);
  }

  #adopt(socket: TLSSocket): void {
    const { remoteAddress: host, remotePort: port } = socket;
    for (const [raw, of] of this.#shaking)
      if (of === host && raw.remotePort === port) this.#shaking.delete(raw);
    if (host === undefined || port === undefined) return void socket.destroy();
    this.#connections.adopt(socket, { host, port });
  }

  #connect({ host, port, tls = { serverName: host, isVerified: true } }: Destination): TLSSocket {
    const { serverName, isVerified } = tls;
    const socket = connect({
      host,
      port,
      secureContext: this.#settings.client(),
      // RFC 6066 section 3: "Literal IPv4 and IPv6 addresses are not permitted in "HostName"."
      ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
      rejectUnauthorized: isVerified,
      // The certificate belongs to the configured name, not to the address that the name has now.
      checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate),
    });
    socket.on('error', (error) => this.#report(error));
    return socket;
  }

  /** Without its code, an operator could not tell a wrong certificate from a closed port. */
  #report(error: Error): void {
    const code = 'code' in error ? String(error.code) : error.name;
    this.#options.log.warn({ code }, 'A SIP connection over TLS failed');
  }
}
