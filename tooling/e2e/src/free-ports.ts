/**
 * Finds free ports, so that several installations can run on one machine. All are below the ephemeral ports, so that the
 * system does not assign one between the check and its use.
 */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const FIRST_PORT = 10_000;
const PORTS = 5_000;
/** The ports behind a given one are left to it: a fleet of voice processes takes consecutive ones. */
const STEP = 4;
const FIRST_RTP_PORT = 15_000;
const RTP_BLOCKS = 24;
/** Ports of one block; a call takes two, which then rest for three seconds: enough for a hundred short calls a second. */
const RTP_BLOCK = 600;
/** A port that was given out may look free until its process has started. */
const givenPorts = new Set<number>();

/** Ports on 127.0.0.1, all different, free for TCP and UDP. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = FIRST_PORT + STEP * Math.floor(Math.random() * (PORTS / STEP));
    if (givenPorts.has(port) || !(await isFree(port))) continue;
    givenPorts.add(port);
    ports.push(port);
  }
  return ports;
}

/** `first-last`: a block of UDP ports for RTP. Ports that are already in use are skipped. */
export function someRtpRange(): string {
  const first = FIRST_RTP_PORT + RTP_BLOCK * Math.floor(Math.random() * RTP_BLOCKS);
  return `${first}-${first + RTP_BLOCK - 1}`;
}

async function isFree(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const server = createServer();
  const isFreeForUdp = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false)).bind(port, '127.0.0.1', () => resolve(true));
  });
  const isFreeForTcp = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isFreeForUdp) socket.close();
  if (isFreeForTcp) await new Promise((resolve) => server.close(resolve));
  return isFreeForUdp && isFreeForTcp;
}
