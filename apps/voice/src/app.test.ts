import { randomUUID } from 'node:crypto';
import { addNumber, listTrunks, placeCall, placeWebCall, planDial } from '@parley/core';
import { statement } from '@parley/db';
import { pause, silentLog, systemClock } from '@parley/runtime';
import { createRtpMediaFactory, createSipEndpoint, type CallLeg } from '@parley/telephony';
import {
  createTestAssistant,
  createTestContext,
  createTestUser,
  freePort,
  useTestDatabase,
} from '@parley/testkit';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { INTERNAL_SECRET, prepareApp } from '../test/arrange-app.ts';
import { arrangeLostCall } from '../test/arrange-lost-call.ts';
import { freshNumber, storedEnd } from '../test/arrange-voice.ts';
import { readReport, readResumed, type ChildReport } from './fleet/child-report.ts';
import { lostProcessMessage } from './fleet/fleet-message.ts';

const database = useTestDatabase();

const selectProcesses = statement<{ id: string; sipAddress: string; isDraining: boolean }>(
  '',
  'select id, sip_address, is_draining from voice_processes where url = $1',
);
const selectAdmitted = statement<{ admittedCalls: number | null }>(
  '',
  'select admitted_calls from voice_processes where id = $1',
);
const dropProcesses = statement('', 'delete from voice_processes where url = $1');

const prepare = (environment: Record<string, string> = {}) => prepareApp(database, environment);

/** Starts one. */
async function setup(environment: Record<string, string> = {}) {
  const { app, port, sipPort, log } = await prepare(environment);
  const url = `http://127.0.0.1:${port}`;
  await app.start();
  const core = createTestContext(database.db);
  const processes = () => core.db.query(selectProcesses, [url]);
  /** A call from a browser that talks to the demonstration assistant. */
  const talk = async () => {
    const { identity } = await createTestUser(core);
    const assistant = await createTestAssistant(core, identity);
    const { callId, ticket } = await placeWebCall(core, identity, { assistantId: assistant.id });
    const headers = { authorization: `Bearer ${INTERNAL_SECRET}` };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/internal/web-calls?ticket=${ticket}`, { headers });
    const closed = once(socket, 'close');
    await expect
      .poll(async () => (await storedEnd(core, callId))?.status, { timeout: 20_000 })
      .toBe('in-progress');
    return { callId, closed, socket };
  };
  return { app, url, sipPort, core, processes, talk, log };
}

/** A telephone that shares only SIP and RTP with the process. */
async function startPhone() {
  const parts = { clock: systemClock, log: silentLog };
  const media = createRtpMediaFactory({ ...parts, ports: null });
  const endpoint = createSipEndpoint({
    ...parts,
    media,
    listen: { host: '127.0.0.1', port: 0 },
    userAgent: 'Phone',
  });
  media.start();
  await endpoint.start();
  onTestFinished(async () => {
    await endpoint.stop();
    await media.stop();
  });
  return endpoint;
}

/** Resolves with true when audio other than silence arrives. */
function hearing(leg: CallLeg): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  leg.media.onTick(({ received }) => received.some((sample) => Math.abs(sample) > 500) && resolve(true));
  leg.onEvent((event) => event.type === 'ended' && resolve(false));
  return promise;
}

test('a process is ready and registered once started, and neither after its stop', async () => {
  const { app, url, sipPort, processes, log } = await setup();
  const response = await fetch(`${url}/readyz`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    status: 'ok',
    checks: { database: 'ok', lease: 'ok', capacity: 'ok' },
  });
  const sipAddress = `127.0.0.1:${sipPort}`;
  expect(await processes()).toEqual([{ id: expect.any(String), sipAddress, isDraining: false }]);
  expect(log.map(({ msg }) => msg)).toContain('Voice is ready');
  await app.stop();
  expect(await processes()).toEqual([]);
  await expect(fetch(`${url}/livez`)).rejects.toThrow();
});

test('a stop hangs up the calls that did not end within the drain limit, and stores their ends', async () => {
  const { app, core, talk } = await setup();
  const { callId, closed } = await talk();
  await app.stop();
  await closed;
  expect(await storedEnd(core, callId)).toMatchObject({ endedReason: 'shutdown', isLive: false });
});

test('a process that lost its lease hangs up its calls and registers again', async () => {
  const { url, core, processes, talk } = await setup();
  const { closed } = await talk();
  await core.db.query(dropProcesses, [url]);
  await closed;
  await expect.poll(processes, { timeout: 10_000 }).toHaveLength(1);
});

test('a second signal ends the calls of a stop that waits for them', async () => {
  const { app, url, core, talk } = await setup({ DRAIN_LIMIT: '3600' });
  const { callId, closed } = await talk();
  const stopped = app.stop();
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 30_000 }).toBe(503);
  app.hurry?.();
  await stopped;
  await closed;
  expect(await storedEnd(core, callId)).toMatchObject({ endedReason: 'shutdown', isLive: false });
});

test('a stop takes no new calls and lets a running call end by itself', async () => {
  const { app, url, core, talk } = await setup({ DRAIN_LIMIT: '60' });
  const { callId, socket } = await talk();
  const stopped = app.stop();
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503);
  // Longer than a limit of milliseconds that was meant in seconds.
  await pause(systemClock, 300);
  expect(await storedEnd(core, callId)).toMatchObject({ isLive: true });
  socket.close();
  await stopped;
  expect(await storedEnd(core, callId)).toMatchObject({ endedReason: 'customer_hung_up', isLive: false });
});

test('a stop does not wait for a client that never finishes its request', async () => {
  const { app, url } = await setup();
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void client.destroy());
  const closed = once(client, 'close');
  await once(client, 'connect');
  client.write('GET /livez HTTP/1.1\r\n');
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  await app.stop();
  await closed;
});

test('a process whose event loop is late takes no more calls for the present', async () => {
  const { core, processes } = await setup({ VOICE_CAPACITY: '7' });
  const [process] = await processes();
  const admitted = async () => (await core.db.query(selectAdmitted, [process?.id ?? '']))[0]?.admittedCalls;
  expect(await admitted()).toBe(7);
  const blockAndRead = async () => {
    const until = performance.now() + 400;
    while (performance.now() < until);
    return admitted();
  };
  await expect.poll(blockAndRead, { timeout: 30_000 }).toBe(0);
  await expect.poll(admitted, { timeout: 30_000 }).toBe(7);
});

test('a process that could not start can be stopped', async () => {
  const phone = await startPhone();
  const { app } = await prepare({ SIP_LISTEN: `127.0.0.1:${phone.address().port}` });
  await expect(app.start()).rejects.toThrow('EADDRINUSE');
  await app.stop();
});

test('a phone calls an assistant and hears it', async () => {
  const { sipPort, core } = await setup();
  const { identity } = await createTestUser(core);
  const [trunk] = await listTrunks(core, identity);
  const to = freshNumber();
  const number = { phone_number: to, sip_trunk_id: trunk?.id ?? 0, type_label: 'Normal' } as const;
  const { id } = await addNumber(core, identity, number);
  await createTestAssistant(core, identity, { calls_direction: 'receive', phone_number_id: id });
  const phone = await startPhone();
  const leg = phone.dial({
    from: freshNumber(),
    to,
    sipCallId: randomUUID(),
    trunk: { host: '127.0.0.1', port: sipPort, transport: 'udp' },
    ringTimeoutMs: 30_000,
  });
  expect(await hearing(leg)).toBe(true);
  await leg.hangUp();
});

const useTrunk = statement('', 'update trunks set port = $2 where user_id = $1');
const assignCall = statement('', 'update live_calls set voice_process_id = $2 where call_id = $1');

test('a phone may ring for as long as the settings allow before it is answered', async () => {
  const { url, core, processes } = await setup();
  const phone = await startPhone();
  const { identity } = await createTestUser(core);
  await core.db.query(useTrunk, [identity.userId, phone.address().port]);
  const assistant = await createTestAssistant(core, identity);
  const ringing = Promise.withResolvers<CallLeg>();
  phone.onIncoming((leg) => {
    leg.ring();
    ringing.resolve(leg);
  });
  const [process] = await processes();
  const call = { phoneNumber: freshNumber(), assistantId: assistant.id, variables: {} };
  const { callId } = await placeCall(core, identity, call);
  await planDial(core, callId);
  await core.db.query(assignCall, [callId, process?.id ?? '']);
  const answer = await fetch(`${url}/internal/calls/${callId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${INTERNAL_SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ created_at: '', process_id: process?.id }),
  });
  expect(answer.status).toBe(202);
  const leg = await ringing.promise;
  await expect.poll(async () => (await storedEnd(core, callId))?.status).toBe('ringing');
  const heard = hearing(leg);
  await leg.answer();
  expect(await heard).toBe(true);
  await leg.hangUp();
  await expect.poll(async () => (await storedEnd(core, callId))?.isLive, { timeout: 20_000 }).toBe(false);
});

describe('a process of a fleet', () => {
  const selectOwner = statement<{ owner: string }>(
    '',
    'select voice_process_id as owner from live_calls where call_id = $1',
  );

  /** What the process reports over the IPC channel, which belongs to the test runner here. */
  function listenAsFleet() {
    const reports: ChildReport[] = [];
    const resumedTags: string[] = [];
    const send = process.send?.bind(process);
    if (!send) throw new Error('The tests do not run in a child process');
    onTestFinished(() => void (process.send = send));
    process.send = (message: object, ...rest: unknown[]): boolean => {
      const tag = readResumed(message);
      const report = readReport(message);
      if (tag === null && report === null) return Reflect.apply(send, null, [message, ...rest]);
      if (tag !== null) resumedTags.push(tag);
      if (report) reports.push(report);
      return true;
    };
    return { reports, resumedTags };
  }

  test('reports its port, its free slots and its lease, and the next lease', async () => {
    const { reports } = listenAsFleet();
    const { sipPort, core, url, processes } = await setup({ VOICE_CAPACITY: '7' });
    const [first] = await processes();
    expect(reports.at(-1)).toMatchObject({ sipPort, freeCalls: 7, processId: first?.id });
    await core.db.query(dropProcesses, [url]);
    await expect.poll(processes, { timeout: 10_000 }).toHaveLength(1);
    const [second] = await processes();
    await expect.poll(() => reports.at(-1)?.processId, { timeout: 10_000 }).toBe(second?.id);
  });

  test('leaves the calls of lost processes to others until it is registered', async () => {
    const { lost } = await arrangeLostCall(database.db);
    const { app, log } = await prepare();
    const started = app.start();
    process.emit('message', lostProcessMessage({ ...lost, endedAt: new Date() }), undefined);
    await started;
    await app.stop();
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('listens to its fleet from its start to its stop', async () => {
    const listeners = () => process.listenerCount('message');
    const others = listeners();
    const { app } = await prepare();
    expect(listeners()).toBe(others);
    await app.start();
    expect(listeners()).toBe(others + 1);
    await app.stop();
    expect(listeners()).toBe(others);
  });

  test('goes on with the calls of a process that its fleet has seen end', async () => {
    const { resumedTags } = listenAsFleet();
    const { callId, lost } = await arrangeLostCall(database.db);
    const { core, processes } = await setup({ SIP_FRONT: `127.0.0.1:${await freePort()}` });
    const [own] = await processes();
    const owner = async () => (await core.db.query(selectOwner, [callId]))[0]?.owner;
    expect(await owner()).toBe(lost.processId);
    process.emit('message', lostProcessMessage({ ...lost, endedAt: new Date() }), undefined);
    await expect.poll(owner, { timeout: 10_000 }).toBe(own?.id);
    // The front sends requests within the dialog here.
    await expect.poll(() => resumedTags, { timeout: 10_000 }).toEqual(['near']);
  });

  test('goes on with the calls of the process that had its address', async () => {
    const { app, port, log } = await prepare();
    const { callId } = await arrangeLostCall(database.db, `http://127.0.0.1:${port}`);
    await app.start();
    const messages = () => log.map(({ msg }) => msg);
    await expect
      .poll(messages, { timeout: 10_000 })
      .toContain('Calls of a lost voice process go on in this one');
    const core = createTestContext(database.db);
    const [own] = await core.db.query(selectProcesses, [`http://127.0.0.1:${port}`]);
    expect((await core.db.query(selectOwner, [callId]))[0]?.owner).toBe(own?.id);
  });
});
