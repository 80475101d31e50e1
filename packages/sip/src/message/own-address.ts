/** The address in our Via and Contact, at which others reach us. */
import type { TransportName } from './destination.ts';

/** One address for UDP and TCP, and another port for TLS. */
export interface OwnAddress {
  host: string;
  port: number;
  /** Default: 5061. */
  tlsPort?: number | undefined;
}

const TLS_PORT = 5061;

/** Our address for messages over this transport. */
export function addressFor(
  { host, port, tlsPort = TLS_PORT }: OwnAddress,
  transport: TransportName,
): { host: string; port: number } {
  return { host, port: transport === 'tls' ? tlsPort : port };
}
