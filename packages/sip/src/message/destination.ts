/**
 * The source or destination of a message. The agent uses host names; the transport resolves them and manages connections.
 */
import type { Envelope } from './envelope.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';

export type TransportName = 'udp' | 'tcp' | 'tls';

/** `unsent`: a message did not leave. `lost`: the connection on which it was sent has broken, so that it may have arrived. */
export type TransportFault = 'unsent' | 'lost';

/** With whom a TLS connection is opened (RFC 5922). */
export interface TlsPeer {
  /** The name or address that the certificate of the peer must contain. */
  serverName: string;
  /** False: any certificate is accepted, because the operator of the trunk has said so. */
  isVerified: boolean;
}

/** RFC 3261 section 18: UDP loses messages, so that they are repeated; a stream does not, and answers return over it. */
export function isStream(transport: TransportName): boolean {
  return transport !== 'udp';
}

/** RFC 3261 section 19.1.2. */
export function defaultPort(transport: TransportName): number {
  return transport === 'tls' ? 5061 : 5060;
}

/** One endpoint of a hop. */
export interface Destination {
  transport: TransportName;
  /** Address or name; IPv6 without brackets. */
  host: string;
  port: number;
  /** The TCP or TLS connection to prefer while it is open, null for none. */
  connectionId: number | null;
  /** For a response over a stream: the port to which a connection is opened once `connectionId` is closed. */
  viaPort?: number | undefined;
  /** For TLS, where a connection is opened; absent: `host`, verified. */
  tls?: TlsPeer | undefined;
  /** The address of the peer whose Contact or Record-Route names this destination; absent for a source and for a trunk. */
  namedBy?: string | undefined;
  /** The port from which that peer sends. */
  namedByPort?: number | undefined;
  /** The transport between our own proxy and the peer, where messages go through the proxy. */
  over?: TransportName | undefined;
}

/** The transport that the peer sees. */
export function peerTransport({ over, transport }: Pick<Destination, 'over' | 'transport'>): TransportName {
  return over ?? transport;
}

/** The peer behind our own proxy. */
export interface PeerBehind {
  host: string;
  port: number;
  transport: TransportName;
  /** The Route through the proxy to the peer's connection; null where requests go to the peer directly. */
  flow: string | null;
}

/** A parsed message and its source. */
export interface Received<Message extends SipMessage = SipMessage> {
  message: Message;
  envelope: Envelope;
  source: Destination;
  /** The peer behind our own proxy, from which the message came. */
  behind?: PeerBehind | undefined;
}

/** Type guard for requests. */
export function isRequest(received: Received): received is Received<SipRequest> {
  return received.message.kind === 'request';
}

/** Type guard for responses. */
export function isResponse(received: Received): received is Received<SipResponse> {
  return received.message.kind === 'response';
}
