import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createEmbedder } from '@parley/core';
import { BackgroundWork, createLimitedServer, silentLog, systemClock } from '@parley/runtime';
import { createGuardedClient } from '@parley/runtime/guarded-http';
import { createRtpMediaFactory, createSipEndpoint } from '@parley/telephony';
import { createTestContext, useTestDatabase } from '@parley/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { createControl } from './control.ts';
import { createEngines } from './engines.ts';
import { Evaluations } from './evaluation/evaluations.ts';
import { InternalAccess } from './internal-access.ts';
import { VoiceLease } from './lease.ts';
import { LiveCalls } from './live-calls.ts';
import { WrittenReplies } from './replies/written-replies.ts';
import { createAgentSockets } from './stream/agent-sockets.ts';
import type { VoiceContext } from './voice-context.ts';

const SECRET = 'what our own processes show each other';
const database = useTestDatabase();

/** A voice process without a SIP socket: these tests cover the authorisation of the internal requests. */
async function setup() {
  const core = createTestContext(database.db);
  const calls = new LiveCalls(1);
  const lease = new VoiceLease({
    core,
    url: 'http://127.0.0.1:3002',
    sipAddress: '127.0.0.1:5060',
    capacity: calls.capacity,
    recognition: () => ({ detector: 'silero', recognisedLanguages: {} }),
    load: () => ({ activeCalls: calls.size, isDraining: calls.isDraining, admittedCalls: calls.capacity }),
    onFenced: async () => undefined,
    onRegistered: () => undefined,
  });
  const parts = { clock: systemClock, log: silentLog };
  const media = createRtpMediaFactory({ ...parts, ports: null });
  const owners = { send: async () => ({ error: 'No owner is asked in these tests' }) };
  const endpoint = createSipEndpoint({
    ...parts,
    media,
    listen: { host: '127.0.0.1', port: 0 },
    userAgent: 'test',
  });
  const engines = createEngines(parts);
  const evaluations = new Evaluations({ core, openModel: (access) => engines.model(access) });
  const http = createGuardedClient({ clock: systemClock, allowPrivate: 'none' });
  const voice: VoiceContext = {
    core,
    background: new BackgroundWork(silentLog),
    lease,
    calls,
    endpoint,
    webRtc: null,
    trunkAddresses: { includes: async () => false },
    engines,
    evaluations,
    replies: new WrittenReplies({
      core,
      openModel: (access) => engines.model(access),
      http,
      embedder: createEmbedder(core),
    }),
    owners,
    http,
    agents: createAgentSockets('none'),
    embedder: createEmbedder(core),
    ringLimitMs: 1000,
  };
  const access = new InternalAccess(SECRET);
  const server = createLimitedServer(createControl(voice, access, { lease: () => null }));
  access.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await lease.start();
  onTestFinished(async () => {
    server.close();
    await http.close();
    await lease.stop();
  });
  const { port } = server.address() as AddressInfo;
  const ask = async (method: string, path: string, body?: unknown, secret = SECRET) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...sent });
    return response.status;
  };
  const handOver = (process_id: string) =>
    ask('PUT', '/internal/calls/7', { created_at: new Date(0).toISOString(), process_id });
  /** A connection, with what it has received. */
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    const received: string[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk.toString()));
    const closed = once(socket, 'close').then(() => received.join(''));
    return { socket, received, closed };
  };
  return { calls, lease, ask, handOver, open, processId: lease.fence().processId };
}

/** A call that this process holds. */
const heldCall = { callId: 7, state: () => 'talking', hangUp: () => undefined };

test('requests without the secret are rejected', async () => {
  const { ask } = await setup();
  expect(await ask('GET', '/internal/calls/7', undefined, 'guessed')).toBe(401);
  expect(await ask('GET', '/internal/calls/7')).toBe(404);
  expect(await ask('GET', '/livez', undefined, 'guessed')).toBe(200);
});

test('a call for an earlier lease of this process is refused', async () => {
  const { handOver, calls } = await setup();
  expect(await handOver(randomUUID())).toBe(409);
  expect(calls.size).toBe(0);
});

test('a repeated hand-over of a live call is accepted even without a free slot', async () => {
  const { handOver, processId, calls } = await setup();
  calls.add(heldCall);
  expect(calls.hasFreeSlot()).toBe(false);
  expect(await handOver(processId)).toBe(202);
});

test('a full process and a draining one answer 503', async () => {
  const full = await setup();
  full.calls.add({ ...heldCall, callId: 8 });
  expect(await full.handOver(full.processId)).toBe(503);
  const draining = await setup();
  draining.calls.drain();
  expect(await draining.handOver(draining.processId)).toBe(503);
});

test('a hang-up reaches only the call that it names', async () => {
  const { ask, calls } = await setup();
  const reasons: string[] = [];
  calls.add({ ...heldCall, hangUp: ({ reason }) => reasons.push(reason) });
  expect(await ask('POST', '/internal/calls/7/hang-up', { reason: 'hang_up_requested' })).toBe(202);
  expect(await ask('POST', '/internal/calls/9/hang-up', { reason: 'hang_up_requested' })).toBe(404);
  expect(reasons).toEqual(['hang_up_requested']);
});

const headOf = (line: string, secret: string, more = ''): string =>
  `${line} HTTP/1.1\r\nHost: voice\r\nAuthorization: Bearer ${secret}\r\n${more}\r\n`;

test('connections without the secret neither lock out processes that have it nor close their connections', async () => {
  const { ask, open } = await setup();
  const own = await open();
  own.socket.write(headOf('GET /internal/calls/7', SECRET));
  await expect.poll(() => own.received.join('')).toContain('404 Not Found');
  const strangers: Awaited<ReturnType<typeof open>>[] = [];
  for (let count = 0; count < 150; count++) strangers.push(await open());
  await Promise.all(strangers.slice(0, 50).map(({ closed }) => closed));
  expect(await ask('GET', '/internal/calls/7')).toBe(404);
  own.socket.write(headOf('GET /internal/calls/8', SECRET));
  await expect.poll(() => own.received.join('').match(/404 Not Found/g)?.length).toBe(2);
  const states = (of: readonly { socket: Socket }[]): string[] => of.map(({ socket }) => socket.readyState);
  expect(new Set(states(strangers.slice(60)))).toEqual(new Set(['open']));
});

test('the body of a stranger is not read, and that of our own processes has a limit', async () => {
  const { open } = await setup();
  const stranger = await open();
  stranger.socket.write(headOf('POST /internal/replies', 'guessed', 'Content-Length: 1000000000\r\n'));
  const refused = await stranger.closed;
  expect(refused).toMatch(/^HTTP\/1\.1 401 /);
  expect(refused).toContain('\r\nConnection: close\r\n');
  const own = await open();
  const tooLarge = 'Content-Type: application/json\r\nContent-Length: 3000000\r\n';
  own.socket.write(headOf('POST /internal/replies', SECRET, tooLarge));
  own.socket.write(Buffer.alloc(3_000_000, ' '));
  await expect.poll(() => own.received.join('')).toMatch(/^HTTP\/1\.1 413 /);
});
