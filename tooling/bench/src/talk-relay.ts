/**
 * The floor under P8: what a packet costs a program in C that only sends it back. Needs a C compiler; where there is
 * none, this is not measured.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pause, systemClock } from '@parley/runtime';
import type { RtpMedia } from '@parley/telephony';
import { Wires, type WireUser } from './talk-wire.ts';

const SOURCE = fileURLToPath(new URL('talk-relay.c', import.meta.url));
const LOOPBACK = '127.0.0.1';

/** How much goes through it. */
export interface RelayLoad {
  calls: number;
  talkMs: number;
}

/** @returns processor time for each packet that comes or goes, microseconds; null without a compiler */
export async function measureRelay(load: RelayLoad): Promise<number | null> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-relay-'));
  try {
    const program = join(folder, 'relay');
    return compile(program) ? await measure(program, load) : null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function compile(program: string): boolean {
  try {
    execFileSync('cc', ['-O2', '-o', program, SOURCE], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function measure(program: string, { calls, talkMs }: RelayLoad): Promise<number> {
  const relay = spawn(program, [String(calls)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const wires = new Wires();
  try {
    const lines = createInterface({ input: relay.stdout });
    const answers = lines[Symbol.asyncIterator]();
    const next = async (): Promise<number> => Number((await answers.next()).value);
    let packets = 0;
    const user: WireUser = { speak: () => 'silence', hear: () => void packets++ };
    const opened = [];
    for (let call = 0; call < calls; call++) opened.push(await openWire(wires, user, await next()));
    wires.start();
    await pause(systemClock, talkMs);
    wires.stop();
    for (const wire of opened) wire.close();
    relay.stdin.end();
    return (await next()) / (2 * packets);
  } finally {
    wires.stop();
    relay.kill();
  }
}

async function openWire(wires: Wires, user: WireUser, remotePort: number): Promise<RtpMedia> {
  wires.expect(user);
  const wire = await wires.openMedia({ localHost: LOOPBACK });
  const sound = { codec: 'PCMU', payloadType: 0, telephoneEventPayloadType: null } as const;
  wire.connect({ remoteHost: LOOPBACK, remotePort, direction: 'sendrecv', ...sound });
  return wire;
}
