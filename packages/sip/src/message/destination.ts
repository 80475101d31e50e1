/**
 * The source or destination of a message. The agent uses host names; the transport resolves them and manages connections.
 */
import type { Envelope } from './envelope.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';

export type TransportName = 'udp' | 'tcp';

/** One endpoint of a hop. */
export interface Destination {
  transport: TransportName;
  /** Address or name; IPv6 without brackets. */
  host: string;
  port: number;
  /** The TCP connection to prefer while it is open, null for none. */
  connectionId: number | null;
  /** The address of the peer whose Contact or Record-Route names this destination; absent for a source and for a trunk. */
  namedBy?: string | undefined;
  /** The port from which that peer sends. */
  namedByPort?: number | undefined;
}

/** A parsed message and its source. */
export interface Received<Message extends SipMessage = SipMessage> {
  message: Message;
  envelope: Envelope;
  source: Destination;
}

/** Type guard for requests. */
export function isRequest(received: Received): received is Received<SipRequest> {
  return received.message.kind === 'request';
}

/** Type guard for responses. */
export function isResponse(received: Received): received is Received<SipResponse> {
  return received.message.kind === 'response';
}
