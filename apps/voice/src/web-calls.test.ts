import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectTcp, type AddressInfo, type Socket } from 'node:net';
import { CARRIER_STREAM_PATH, SUPERVISION_PATH, WEB_CALL_PATH, WEB_CALL_WEBRTC } from '@parley/contracts';
import { placeWebCall } from '@parley/core';
import { createWebRtcFactory } from '@parley/telephony';
import { useTestDatabase } from '@parley/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { arrangeVoice, storedEnd, type VoiceOptions } from '../test/arrange-voice.ts';
import { InternalAccess } from './internal-access.ts';
import { serveWebCalls } from './web-calls.ts';

const database = useTestDatabase();
const SECRET = 'what our own processes show each other';

async function setup(options: VoiceOptions = {}) {
  const about = await arrangeVoice(database.db, options);
  const { core, identity, assistant, voice } = about;
  const server = createServer();
  serveWebCalls(server, voice, new InternalAccess(SECRET));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const { callId, ticket } = await placeWebCall(core, identity, { assistantId: assistant.id });
  /** Opens the socket of a browser, as the api does. */
  const connect = (given = ticket, { secret = SECRET, path = WEB_CALL_PATH, more = '' } = {}) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}?ticket=${given}${more}`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    const messages: Record<string, unknown>[] = [];
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) messages.push(JSON.parse(data.toString()) as Record<string, unknown>);
    });
    onTestFinished(() => socket.terminate());
    return { socket, messages };
  };
  /** How many sockets the server has. */
  const connections = async () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  return { ...about, port, callId, connect, connections, end: () => storedEnd(core, callId) };
}

/** The code with which the server closes a socket. */
async function closeCode(socket: WebSocket): Promise<number> {
  const [code] = (await once(socket, 'close')) as [number];
  return code;
}

test('a browser with a ticket holds a call like any other, until it hangs up', async () => {
  const { connect, voice, callId, end, engines } = await setup();
  const { socket, messages } = connect();
  await expect.poll(() => voice.calls.find(callId)?.state(), { timeout: 10_000 }).toBe('talking');
  await expect.poll(() => messages[0], { timeout: 10_000 }).toEqual({ type: 'ready', call_id: callId });
  expect(voice.calls.free).toBe(voice.calls.capacity - 1);
  const closed = closeCode(socket);
  socket.send(JSON.stringify({ type: 'hang-up' }));
  expect(await closed).toBe(1000);
  await voice.background.settled();
  expect(await end()).toMatchObject({ endedReason: 'customer_hung_up', isLive: false });
  expect(voice.calls.size).toBe(0);
  expect(engines.released).toBe(1);
});

test('a socket without the secret, or on another path, is not upgraded', async () => {
  const { connect, end } = await setup();
  for (const given of [{ secret: 'guessed' }, { path: '/internal/other' }]) {
    const { socket } = connect(undefined, given);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('404');
  }
  expect(await end()).toMatchObject({ status: 'initiated' });
});

test('strangers who break off an upgrade, or ask for an invalid address, do not end the process', async () => {
  const { port, connect, voice, callId } = await setup();
  const ask = async (address: string, end: (socket: Socket) => void): Promise<void> => {
    const socket = connectTcp(port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    await once(socket, 'connect');
    socket.write(`GET ${address} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    end(socket);
    await once(socket, 'close');
  };
  await ask('//', () => undefined);
  await ask('/other', () => undefined);
  for (let count = 0; count < 50; count++)
    await ask('/other', (socket) => setImmediate(() => socket.resetAndDestroy()));
  const { socket } = connect();
  await expect.poll(() => voice.calls.find(callId)?.state(), { timeout: 10_000 }).toBe('talking');
  socket.close();
  await voice.background.settled();
});

test.each([WEB_CALL_PATH, SUPERVISION_PATH, CARRIER_STREAM_PATH])(
  'strangers who send invalid frames to %s at once do not end the process',
  async (path) => {
    const { connect, voice, callId } = await setup();
    const frames = {
      tooLong: Buffer.from([0x82, 0xfe, 0xff, 0xff, 0, 0, 0, 0]),
      reservedBits: Buffer.from([0xff, 0x80, 0, 0, 0, 0]),
      notUtf8: Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]),
    };
    for (const frame of Object.values(frames)) {
      const { socket } = connect('unknown', { path });
      await once(socket, 'open');
      const closed = closeCode(socket);
      (socket as unknown as { _socket: Socket })._socket.write(frame);
      expect(await closed).not.toBe(1000);
    }
    const { socket } = connect();
    await expect.poll(() => voice.calls.find(callId)?.state(), { timeout: 10_000 }).toBe('talking');
    socket.close();
    await voice.background.settled();
  },
);

test('a supervisor who floods the socket is disconnected, and the call goes on', async () => {
  const { connect, voice, callId } = await setup();
  const caller = connect();
  await expect.poll(() => voice.calls.find(callId)?.state(), { timeout: 10_000 }).toBe('talking');
  const issued = voice.calls.find(callId)?.supervision?.()?.issueTicket('listen', false);
  if (typeof issued !== 'object') throw new Error('There is no ticket');
  const { socket } = connect(`${callId}.${issued.ticket}`, { path: SUPERVISION_PATH });
  await once(socket, 'open');
  // Sent at once, so that no machine is slow enough to allow them.
  const frames = Buffer.concat(Array.from({ length: 200_000 }, () => Buffer.from([0x81, 0x80, 0, 0, 0, 0])));
  const closed = closeCode(socket);
  (socket as unknown as { _socket: Socket })._socket.write(frames);
  expect(await closed).toBe(1006);
  expect(voice.calls.find(callId)?.state()).toBe('talking');
  caller.socket.close();
  await voice.background.settled();
});

test('a browser that leaves while its ticket is checked has no call', async () => {
  const { connect, connections, core, voice, end, engines } = await setup();
  const working = { ...core.db };
  const left = Promise.withResolvers<void>();
  core.db.transaction = async (run, ...more) => {
    await left.promise;
    return working.transaction(run, ...more);
  };
  const { socket } = connect();
  await once(socket, 'open');
  socket.terminate();
  await expect.poll(connections).toBe(0);
  left.resolve();
  await expect.poll(end).toEqual({ status: 'no-answer', endedReason: 'caller_cancelled', isLive: false });
  await voice.background.settled();
  expect(voice.calls.free).toBe(voice.calls.capacity);
  expect(engines.released).toBe(engines.opened);
});

test('an unknown ticket, and one that was used, are refused', async () => {
  const { connect, voice, callId } = await setup({ capacity: 2 });
  // Each gives its slot back.
  for (let count = 0; count < 3; count++) expect(await closeCode(connect('unknown').socket)).toBe(4403);
  const first = connect();
  await expect.poll(() => voice.calls.find(callId)?.state(), { timeout: 10_000 }).toBe('talking');
  expect(await closeCode(connect().socket)).toBe(4403);
  first.socket.close();
  await voice.background.settled();
});

test('a full process refuses with "try again later" and leaves the ticket valid', async () => {
  const { connect, voice, callId } = await setup({ capacity: 1 });
  const other = { callId: 1, state: () => 'talking', hangUp: () => undefined };
  voice.calls.add(other);
  expect(await closeCode(connect().socket)).toBe(1013);
  voice.calls.remove(other);
  const { socket } = connect();
  await expect.poll(() => voice.calls.find(callId)?.state(), { timeout: 10_000 }).toBe('talking');
  socket.close();
  await voice.background.settled();
});

test('a process without a lease refuses with "try again later" too', async () => {
  const { connect, voice, end, log } = await setup();
  await voice.lease.stop();
  expect(await closeCode(connect().socket)).toBe(1013);
  expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  expect(await end()).toMatchObject({ status: 'initiated' });
});

test('a call that cannot be opened closes its socket and is recorded as failed', async () => {
  const { connect, voice, end, engines, log } = await setup();
  engines.fault = new Error('no such voice');
  expect(await closeCode(connect().socket)).toBe(1011);
  await voice.background.settled();
  expect(log.map(({ msg }) => msg)).toContain('A web call could not be accepted');
  expect(await end()).toEqual({ status: 'failed', endedReason: 'internal_error', isLive: false });
});

test('a page that is going to offer WebRTC gets the servers for it, where this process takes WebRTC', async () => {
  const { connect, voice, callId } = await setup();
  const factory = createWebRtcFactory({
    clock: voice.core.clock,
    log: voice.core.log,
    host: '127.0.0.1',
    ports: null,
    publicAddresses: [],
    isLoopbackUseful: true,
  });
  onTestFinished(() => factory.stop());
  voice.webRtc = { factory, iceServers: () => [{ urls: 'stun:stun.example' }] };
  const { socket, messages } = connect(undefined, { more: `&${WEB_CALL_WEBRTC}=1` });
  await expect
    .poll(() => messages[0])
    .toEqual({ type: 'ready', call_id: callId, ice_servers: [{ urls: 'stun:stun.example' }] });
  socket.send(JSON.stringify({ type: 'webrtc-failed' }));
  await expect.poll(() => messages[1]).toEqual({ type: 'sound-path', path: 'websocket' });
  await expect.poll(() => voice.calls.find(callId)?.state()).toBe('talking');
});
