/** Finds ports nobody uses, so that several houses can stand side by side on one machine. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Free TCP ports on 127.0.0.1, all different. */
export async function freeTcpPorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports: number[] = [];
  for (const server of servers) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ports.push((server.address() as AddressInfo).port);
  }
  for (const server of servers) {
    server.close();
    await once(server, 'close');
  }
  return ports;
}

/** A port that is free for UDP and for TCP on 127.0.0.1, as SIP needs it. */
export async function freeSipPort(): Promise<number> {
  for (;;) {
    const [candidate = 0] = await freeTcpPorts(1);
    const socket = createSocket('udp4');
    const isFree = await new Promise<boolean>((resolve) => {
      socket.once('error', () => resolve(false));
      socket.bind(candidate, '127.0.0.1', () => resolve(true));
    });
    if (isFree) {
      socket.close();
      return candidate;
    }
  }
}

/** `first-last`: a range of UDP ports for RTP whose start is free; `size` ports long. */
export async function freeRtpRange(size: number): Promise<string> {
  const first = (await freeSipPort()) & ~1;
  return first + size < 60_000 ? `${first}-${first + size - 1}` : freeRtpRange(size);
}
