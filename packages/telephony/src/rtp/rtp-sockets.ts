/**
 * The two UDP sockets of a call: RTP on an even port, RTCP on the one after it (RFC 3550 section 11).
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

/** Both sockets, bound. */
export interface RtpSockets {
  rtp: Socket;
  rtcp: Socket;
  port: number;
}

/** Attempts to find a pair when the system chooses the port. */
const PAIR_TRIES = 20;

/**
 * Binds a pair.
 *
 * @param host - an address of this machine, not a name
 * @param port - even, or 0: any
 * @throws the system's error, with its `code`
 */
export async function bindRtpSockets(host: string, port: number): Promise<RtpSockets> {
  for (let tries = 1; ; tries++) {
    const rtp = await bindSocket(host, port);
    const bound = rtp.address().port;
    try {
      if (bound % 2 === 1) throw new Error('The system chose an odd port');
      return { rtp, rtcp: await bindSocket(host, bound + 1), port: bound };
    } catch (error) {
      rtp.close();
      if (port !== 0 || tries === PAIR_TRIES) throw error;
    }
  }
}

/**
 * Binds one socket, whose failed sends count as lost packets.
 *
 * @param host - an address of this machine, not a name
 * @param port - 0: any
 * @throws the system's error, with its `code`
 */
export async function bindSocket(host: string, port: number): Promise<Socket> {
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', lookup: takeAddressAsIs });
  // With our lookup function the socket emits `listening` before `bind` returns.
  const listening = once(socket, 'listening');
  socket.bind({ address: host, port });
  await listening.catch((error: unknown) => {
    socket.close();
    throw error;
  });
  // A failed send (no route, full buffer) counts as a lost packet.
  socket.on('error', () => undefined);
  return socket;
}

/** Node resolves every destination, even addresses; in the media worker this would cost a turn of the loop per packet. */
function takeAddressAsIs(
  host: string,
  _options: unknown,
  callback: (error: null, address: string, family: number) => void,
): void {
  callback(null, host, isIPv6(host) ? 6 : 4);
}
