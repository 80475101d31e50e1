/** Opens UDP and TCP on one address, because RFC 3261 section 18 requires both, and TLS on a port of its own. */
import type { Clock, Log } from '@parley/runtime';
import type { Destination, TransportName } from '@parley/sip';
import { TcpTransport } from './tcp-transport.ts';
import type { TlsFiles } from './tls-settings.ts';
import { TlsTransport } from './tls-transport.ts';
import type { Transport, TransportOptions } from './transport.ts';
import { UdpTransport } from './udp-transport.ts';

/** All open transports. */
export interface OpenTransports {
  udp: Transport;
  tcp: TcpTransport;
  tls: TlsTransport;
  port: number;
  /** Where TLS listens, or would with a certificate. */
  tlsPort: number;
}

/** SIP over TLS: its port and its files. */
export interface TlsOptions extends TlsFiles {
  /** Default: 5061. With port 0 the system chooses. */
  port?: number;
}

/** The parameters of {@link openTransports}. */
export interface OpenTransportsOptions {
  clock: Clock;
  log: Log;
  /** With port 0 the system chooses one port for both. */
  listen: { host: string; port: number };
  /** Absent: connections over TLS can be opened, but none are accepted. */
  tls?: TlsOptions | undefined;
  onMessage: (bytes: Uint8Array, source: Destination) => void;
}

/** Attempts to find a port that is free for both transports. */
const PORT_TRIES = 5;
const TLS_PORT = 5061;

/** @throws Error when the address cannot be bound */
export async function openTransports(options: OpenTransportsOptions): Promise<OpenTransports> {
  const both = await tryToOpen(options, options.listen.port === 0 ? PORT_TRIES : 1);
  const { port = TLS_PORT, ...files } = options.tls ?? {};
  const { clock, log } = options;
  const tls = new TlsTransport({ ...transportOptions(options, 'tls', port), clock, log, files });
  try {
    return { ...both, tls, tlsPort: await tls.open() };
  } catch (error) {
    await closeTransports({ ...both, tls });
    throw error;
  }
}

/** Closes every socket. */
export async function closeTransports(transports: Pick<OpenTransports, TransportName> | null): Promise<void> {
  if (!transports) return;
  const { udp, tcp, tls } = transports;
  await Promise.all([udp.close(), tcp.close(), tls.close()]);
}

type UdpAndTcp = Pick<OpenTransports, 'udp' | 'tcp' | 'port'>;

async function tryToOpen(options: OpenTransportsOptions, triesLeft: number): Promise<UdpAndTcp> {
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
  transport: TransportName,
  port: number,
): TransportOptions {
  return {
    host: listen.host,
    port,
    onMessage,
    onFault: (error) => log.warn({ err: error, transport }, 'A SIP socket reported an error'),
  };
}
