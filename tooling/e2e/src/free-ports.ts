/**
 * Finds free ports, so that several installations can run on one machine. All are below the ephemeral ports, so that the
 * system does not assign one between the check and its use.
 */
import { createSocket } from 'node:dgram';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FIRST_PORT = 10_000;
const PORTS = 5_000;
/** The ports behind a given one are left to it: a fleet of voice processes takes consecutive ones. */
const STEP = 4;
const FIRST_RTP_PORT = 15_000;
const RTP_BLOCKS = 24;
/** Ports of one block; a call takes two, which then rest for three seconds: enough for a hundred short calls a second. */
const RTP_BLOCK = 600;
/** A file for each port that was given out, with the test process that has it: until an installation has started, its ports look free. */
const CLAIMS = join(tmpdir(), `parley-test-ports-${process.getuid?.() ?? 0}`);

/** Ports on 127.0.0.1, all different, free for TCP and UDP. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = FIRST_PORT + STEP * Math.floor(Math.random() * (PORTS / STEP));
    if (claim(port) && (await isFree(port))) ports.push(port);
  }
  return ports;
}

/** @returns false when a test process that runs has the port */
function claim(port: number): boolean {
  const file = join(CLAIMS, String(port));
  mkdirSync(CLAIMS, { recursive: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (isRunning(Number(readFileSync(file, 'utf8')))) return false;
  writeFileSync(file, String(process.pid));
  return true;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
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
