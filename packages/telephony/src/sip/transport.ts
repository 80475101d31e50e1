/**
 * The interface of both transports.
 */
import type { Destination, TransportFault } from '@parley/sip';

/** Takes a received message; never throws. */
type MessageListener = (bytes: Uint8Array, source: Destination) => void;

/** Receives why a message was not delivered. */
export type OnFailed = (fault: TransportFault) => void;

/** The configuration of a transport. */
export interface TransportOptions {
  host: string;
  /** 0: the system chooses. */
  port: number;
  onMessage: MessageListener;
  /** Reports a socket error for the log; the transport continues. */
  onFault: (error: unknown) => void;
}

/** UDP or TCP. */
export interface Transport {
  /** Binds; resolves with the port. @throws Error when the address cannot be bound */
  open(): Promise<number>;
  /** Sends to an address, not a host name. `onFailed` is called at most once if sending fails. */
  send(bytes: Uint8Array, destination: Destination, onFailed: OnFailed): void;
  /** Closes every socket. Idempotent. */
  close(): Promise<void>;
}
