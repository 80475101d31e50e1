/**
 * The configuration of docs/examples/kamailio with a real kamailio and voice lines as processes of their own: calls are
 * distributed, go on after a SIGKILL, and avoid a process that drains.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, isInstalled, Kamailio } from '@parley/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { TestEndpoint } from './test-endpoint.ts';

const HOST = '127.0.0.1';
const EXAMPLE = fileURLToPath(new URL('../../../../docs/examples/kamailio/kamailio.cfg', import.meta.url));
const PROGRAM = fileURLToPath(new URL('fleet-endpoint.ts', import.meta.url));
/** Until a new call is answered after a kill: the 2 s of the INVITE timer, and time for a busy machine. */
const BOUND_MS = 10_000;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** What a voice endpoint has reported. */
class FleetLine {
  readonly child: ChildProcess;
  readonly calls: string[] = [];
  readonly ended: string[] = [];
  readonly sources = new Set<string>();
  readonly port: Promise<number>;

  constructor(frontPort: number) {
    this.child = fork(PROGRAM, [String(frontPort)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    closers.push(() => this.child.kill('SIGKILL'));
    const { promise, resolve } = Promise.withResolvers<number>();
    this.port = promise;
    this.child.on('message', (message: Record<string, unknown>) => {
      if (typeof message['port'] === 'number') resolve(message['port']);
      if (typeof message['call'] === 'string') this.calls.push(message['call']);
      if (typeof message['sourceAddress'] === 'string') this.sources.add(message['sourceAddress']);
      if (typeof message['ended'] === 'string') this.ended.push(message['ended']);
    });
  }
}

async function setup(count: number) {
  const port = await freePort();
  const lines = Array.from({ length: count }, () => new FleetLine(port));
  const ports = await Promise.all(lines.map((line) => line.port));
  const caller = await TestEndpoint.open();
  closers.push(() => caller.close());
  const list = path.join(caller.folder, 'voice-processes.list');
  await writeFile(list, ports.map((one) => `1 sip:${HOST}:${one}\n`).join(''));
  const example = await readFile(EXAMPLE, 'utf8');
  const config = example
    .replaceAll('192.0.2.10:5060', `${HOST}:${port}`)
    .replace('/etc/kamailio/voice-processes.list', list)
    .replace('log_stderror=no', 'log_stderror=yes');
  const kamailio = await Kamailio.start(caller.folder, () => config, port);
  caller.atEnd(() => kamailio.stop());
  const trunk = { host: HOST, port, transport: 'udp' } as const;
  /** One call, from the INVITE to its answer. */
  const call = async () => {
    const { leg, events } = caller.dial(trunk, { ringTimeoutMs: BOUND_MS });
    const first = await Promise.race([events.next('answered'), events.next('ended')]);
    return { leg, events, isAnswered: first.type === 'answered' };
  };
  return { port, lines, caller, call, kamailio };
}

describe.skipIf(!isInstalled('kamailio'))('voice processes behind kamailio', () => {
  it('share the calls, keep each with its process, and take all new ones after a kill', async () => {
    const { lines, call } = await setup(2);
    const [first, second] = lines;
    const calls = [await call(), await call(), await call(), await call()];
    expect(calls.every(({ isAnswered }) => isAnswered)).toBe(true);
    expect(lines.map((line) => line.calls.length)).toEqual([2, 2]);
    expect(lines.map((line) => [...line.sources])).toEqual([[HOST], [HOST]]);
    const [one] = calls;
    await one?.leg.hangUp();
    const owner = lines.find((endpoint) => endpoint.calls.includes(one?.leg.id ?? ''));
    await expect.poll(() => owner?.ended, { timeout: BOUND_MS }).toEqual([one?.leg.id]);

    first?.child.kill('SIGKILL');
    if (first) await once(first.child, 'exit');
    const later = [await call(), await call(), await call()];
    expect(later.every(({ isAnswered }) => isAnswered)).toBe(true);
    expect(second?.calls.length).toBe(5);
    for (const { leg } of later) await leg.hangUp();
    await expect.poll(() => second?.ended.length, { timeout: BOUND_MS }).toBeGreaterThanOrEqual(3);
  });

  it('give no new call to a process that drains, whose calls go on', async () => {
    const { lines, call } = await setup(2);
    const [first, second] = lines;
    const running = [await call(), await call()];
    const kept = running.find(({ leg }) => first?.calls.includes(leg.id));
    first?.child.send('drain');
    const before = first?.calls.length;
    const later = [await call(), await call(), await call()];
    expect(later.every(({ isAnswered }) => isAnswered)).toBe(true);
    expect(first?.calls.length).toBe(before);
    expect(second?.calls.length).toBe(4);
    await kept?.leg.hangUp();
    await expect.poll(() => first?.ended, { timeout: BOUND_MS }).toEqual([kept?.leg.id]);
  });

  it('are not deceived about the source of a request', async () => {
    const { port, lines } = await setup(1);
    const socket = createSocket('udp4');
    closers.push(() => socket.close());
    socket.bind(0, HOST);
    await once(socket, 'listening');
    const own = `${HOST}:${socket.address().port}`;
    const lines400 = [
      `OPTIONS sip:a@${HOST} SIP/2.0`,
      `Via: SIP/2.0/UDP ${own};received=192.0.2.1;branch=z9hG4bK1`,
      'Max-Forwards: 9',
      `From: <sip:a@${HOST}>;tag=1`,
      `To: <sip:a@${HOST}>`,
      'Call-ID: lie',
      'CSeq: 1 OPTIONS',
      'Content-Length: 0',
      '',
      '',
    ];
    const answer = once(socket, 'message');
    socket.send(lines400.join('\r\n'), port, HOST);
    const [bytes] = (await answer) as [Buffer];
    expect(bytes.toString('latin1')).toMatch(/^SIP\/2\.0 400 /);
    expect(lines[0]?.calls).toEqual([]);
  });
});
