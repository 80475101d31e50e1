/**
 * What both transports share: how the driver uses them and how they report.
 */
import type { Destination } from '@parley/sip';

/** Takes what arrived; never throws. */
type MessageListener = (bytes: Uint8Array, source: Destination) => void;

/** What a transport is set up with. */
export interface TransportOptions {
  host: string;
  /** 0: chosen by the system. */
  port: number;
  onMessage: MessageListener;
  /** Something about a socket, for the log; the transport goes on. */
  onFault: (error: unknown) => void;
}

/** One of UDP and TCP. */
export interface Transport {
  /** Binds; resolves with the port. @throws Error when the address cannot be bound */
  open(): Promise<number>;
  /** Sends to an address (not a name); `onFailed` is called at most once, later, if that is found impossible. */
  send(bytes: Uint8Array, destination: Destination, onFailed: () => void): void;
  /** Closes every socket. Harmless when repeated. */
  close(): Promise<void>;
}
