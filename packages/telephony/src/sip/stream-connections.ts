/**
 * The connections of a stream transport (RFC 3261 section 18): opens them when needed, reuses an open one to the same
 * address, and limits those that others open.
 */
import type { Socket } from 'node:net';
import { networkOf, type Clock } from '@parley/runtime';
import type { Destination } from '@parley/sip';
import { TcpConnection } from './tcp-connection.ts';
import type { OnFailed, TransportOptions } from './transport.ts';

/** Limit of concurrent connections; beyond it new ones are closed at once. */
const MAX_CONNECTIONS = 1000;
/** Limit of concurrent connections with one host, or one IPv6 network: one source must not use up all of them. */
const MAX_CONNECTIONS_PER_HOST = 50;

/** The configuration. */
export interface StreamConnectionsOptions extends Pick<TransportOptions, 'onMessage'> {
  clock: Clock;
  transport: 'tcp' | 'tls';
  /** Begins to open a connection. */
  connect(destination: Destination): Socket;
  /** Connections that are accepted but not adopted yet, of one network or (null) of all. */
  pendingOf?: (network: string | null) => number;
}

/** All connections of one transport. */
export class StreamConnections {
  readonly #options: StreamConnectionsOptions;
  readonly #connections = new Map<number, TcpConnection>();
  readonly #byAddress = new Map<string, TcpConnection>();
  #nextId = 1;
  #isClosed = false;

  constructor(options: StreamConnectionsOptions) {
    this.#options = options;
  }

  send(bytes: Uint8Array, destination: Destination, onFailed: OnFailed): void {
    if (this.#isClosed) return onFailed('unsent');
    const preferred = usable(this.#connections.get(destination.connectionId ?? 0));
    (preferred ?? this.#reach(destination)).send(bytes, onFailed);
  }

  /** @returns false when the connection is closed or takes no more messages */
  sendOver(connectionId: number, bytes: Uint8Array): boolean {
    const connection = usable(this.#connections.get(connectionId));
    let isSent = connection !== null;
    connection?.send(bytes, () => (isSent = false));
    return isSent;
  }

  /** The connection for a destination that names none, or one that is closed. */
  #reach(named: Destination): TcpConnection {
    const destination = { ...named, port: named.viaPort ?? named.port };
    return usable(this.#byAddress.get(addressKey(destination))) ?? this.#open(destination);
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#connections.values()) connection.close();
  }

  /** The address of a socket that connects to us; null when it is over a limit, and then closed. */
  admit(socket: Socket): string | null {
    const { remoteAddress } = socket;
    if (remoteAddress !== undefined && !this.#isFull(remoteAddress)) return remoteAddress;
    socket.on('error', () => {});
    socket.destroy();
    return null;
  }

  /** Takes ownership of an open socket, or of one that {@link StreamConnectionsOptions.connect} has begun to open. */
  adopt(
    socket: Socket,
    { host, port, tls }: Pick<Destination, 'host' | 'port' | 'tls'>,
    isOpen = true,
  ): TcpConnection {
    const connectionId = this.#nextId++;
    const { transport, clock, onMessage } = this.#options;
    const source: Destination = { transport, host, port, connectionId, ...(tls ? { tls } : {}) };
    const key = addressKey(source);
    const connection = new TcpConnection(socket, source, {
      clock,
      opensWith: isOpen ? null : OPENED[transport],
      listener: { onMessage, onClosed: () => this.#forget(connectionId, key) },
    });
    this.#connections.set(connectionId, connection);
    this.#byAddress.set(key, connection);
    return connection;
  }

  #open(destination: Destination): TcpConnection {
    return this.adopt(this.#options.connect(destination), destination, false);
  }

  #isFull(host: string): boolean {
    const { pendingOf = () => 0 } = this.#options;
    if (this.#connections.size + pendingOf(null) >= MAX_CONNECTIONS) return true;
    const network = networkOf(host);
    const ofNetwork = [...this.#connections.values()].filter(
      ({ source }) => networkOf(source.host) === network,
    );
    return ofNetwork.length + pendingOf(network) >= MAX_CONNECTIONS_PER_HOST;
  }

  #forget(connectionId: number, key: string): void {
    if (this.#byAddress.get(key) === this.#connections.get(connectionId)) this.#byAddress.delete(key);
    this.#connections.delete(connectionId);
  }
}

/** A connection that still takes messages. */
function usable(connection: TcpConnection | undefined): TcpConnection | null {
  return connection?.isUsable ? connection : null;
}

/** The event with which a socket may be used: after the certificate of the peer is verified. */
const OPENED = { tcp: 'connect', tls: 'secureConnect' } as const;

/**
 * A connection that is verified for one name is not used for another, and one that a peer has opened, without a certificate,
 * is not used in place of one that we would verify.
 */
function addressKey({ transport, host, port, tls }: Destination): string {
  const address = `${host} ${port}`;
  if (transport === 'tcp') return address;
  return tls ? `${address} ${tls.serverName} ${tls.isVerified}` : `${address} unknown`;
}
