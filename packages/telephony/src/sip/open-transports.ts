/** Opens UDP and TCP on one address, because RFC 3261 section 18 requires both. */
import type { Clock, Log } from '@parley/runtime';
import type { Destination } from '@parley/sip';
import { TcpTransport } from './tcp-transport.ts';
import type { Transport, TransportOptions } from './transport.ts';
import { UdpTransport } from './udp-transport.ts';

/** Both open transports. */
export interface OpenTransports {
  udp: Transport;
  tcp: Transport;
  port: number;
}

/** The parameters of {@link openTransports}. */
export interface OpenTransportsOptions {
  clock: Clock;
  log: Log;
  /** With port 0 the system chooses one port for both. */
  listen: { host: string; port: number };
  onMessage: (bytes: Uint8Array, source: Destination) => void;
}

/** Attempts to find a port that is free for both transports. */
const PORT_TRIES = 5;

/** @throws Error when the address cannot be bound */
export function openTransports(options: OpenTransportsOptions): Promise<OpenTransports> {
  return tryToOpen(options, options.listen.port === 0 ? PORT_TRIES : 1);
}

async function tryToOpen(options: OpenTransportsOptions, triesLeft: number): Promise<OpenTransports> {
  const udp = new UdpTransport(transportOptions(options, 'udp', options.listen.port));
  const port = await udp.open();
  const tcp = new TcpTransport({ ...transportOptions(options, 'tcp', port), clock: options.clock });
  try {
    await tcp.open();
  } catch (error) {
    await udp.close();
    if (triesLeft <= 1) throw error;
    return tryToOpen(options, triesLeft - 1);
  }
  return { udp, tcp, port };
}

function transportOptions(
  { listen, log, onMessage }: OpenTransportsOptions,
  transport: 'udp' | 'tcp',
  port: number,
): TransportOptions {
  return {
    host: listen.host,
    port,
    onMessage,
    onFault: (error) => log.warn({ err: error, transport }, 'A SIP socket reported an error'),
  };
}
