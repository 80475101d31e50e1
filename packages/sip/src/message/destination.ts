/**
 * Where a message came from or goes to. The agent names hosts; finding their address and keeping connections is the
 * transport's work.
 */
import type { Envelope } from './envelope.ts';
import type { SipMessage, SipRequest, SipResponse } from './message.ts';

export type TransportName = 'udp' | 'tcp';

/** One end of a hop. */
export interface Destination {
  transport: TransportName;
  /** Address or name; IPv6 without brackets. */
  host: string;
  port: number;
  /** The connection to prefer while it is open (TCP), null for none. */
  connectionId: number | null;
}

/** A message that has been read, and where it came from. */
export interface Received<Message extends SipMessage = SipMessage> {
  message: Message;
  envelope: Envelope;
  source: Destination;
}

/** True for a request; narrows. */
export function isRequest(received: Received): received is Received<SipRequest> {
  return received.message.kind === 'request';
}

/** True for a response; narrows. */
export function isResponse(received: Received): received is Received<SipResponse> {
  return received.message.kind === 'response';
}
