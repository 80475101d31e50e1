/**
 * Whether anything listens on a port. UDP: the far end's system reports a closed port by ICMP, which a connected socket
 * receives; silence says nothing. TCP, also below TLS: whether a connection opens.
 */
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { isIPv6 } from 'node:net';
import type { Clock } from '@parley/runtime';
import type { TransportName } from '@parley/sip';

/** `silent`: no sign in either direction, as behind a firewall. */
export type PortState = 'open' | 'closed' | 'silent';

/** RFC 5626 section 3.5.1: a keep-alive, which SIP servers ignore. */
const KEEP_ALIVE = '\r\n\r\n';

/**
 * Never rejects.
 *
 * @param limitMs - how long to wait for a sign
 */
export async function probePort(
  clock: Clock,
  { host, port, transport }: { host: string; port: number; transport: TransportName },
  limitMs: number,
): Promise<PortState> {
  const { promise, resolve } = Promise.withResolvers<PortState>();
  const limit = clock.after(limitMs, () => resolve('silent'));
  const close = transport === 'udp' ? probeUdp({ host, port }, resolve) : probeTcp({ host, port }, resolve);
  try {
    return await promise;
  } finally {
    limit.cancel();
    close();
  }
}

type Resolve = (state: PortState) => void;

function probeUdp({ host, port }: { host: string; port: number }, resolve: Resolve): () => void {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  socket.on('error', (error) => resolve(isRefusal(error) ? 'closed' : 'silent'));
  socket.on('message', () => resolve('open'));
  socket.connect(port, host, () => {
    socket.send(KEEP_ALIVE, () => undefined);
  });
  return () => socket.close();
}

function probeTcp({ host, port }: { host: string; port: number }, resolve: Resolve): () => void {
  const socket = connect({ host, port });
  socket.once('connect', () => resolve('open'));
  socket.on('error', (error) => resolve(isRefusal(error) ? 'closed' : 'silent'));
  return () => socket.destroy();
}

function isRefusal(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNREFUSED';
}
