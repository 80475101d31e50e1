/** Supervision of calls through the api, with a simulated voice process that writes down what it is asked. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { registerVoiceProcess } from '@parley/core';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Browser } from '../test/browser.ts';
import { startLiveApi, type LiveApi } from '../test/live-api.ts';
import { signInOperator, signInUser } from '../test/signed-in.ts';

const database = useTestDatabase();
let live: LiveApi;
let voice: Server;
let owner: Browser;
let other: Browser;
let callId: number;
const asked: string[] = [];

beforeAll(async () => {
  voice = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      asked.push(`${request.url} ${body}`);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.url?.endsWith('supervisors') ? { ticket: `${callId}.abc` } : {}));
    });
  });
  const sockets = new WebSocketServer({ noServer: true });
  voice.on('upgrade', (request, socket, head) => {
    asked.push(`upgrade ${request.url}`);
    sockets.handleUpgrade(request, socket, head, (client) => client.send('hello'));
  });
  voice.listen(0, '127.0.0.1');
  await once(voice, 'listening');
  const url = `http://127.0.0.1:${(voice.address() as AddressInfo).port}`;
  live = await startLiveApi({ db: database.db });
  owner = await signInOperator(live);
  const { userId } = await live.addUser('Other');
  other = await signInUser(live, userId);
  const assistants = await owner.trpc.assistants.list.query();
  const assistant_id = assistants.find(({ type }) => type === 'outbound')?.id ?? 0;
  const placed = await owner.trpc.calls.place.mutate({ assistant_id, phone_number: '+12025550184' });
  callId = placed.call_id;
  const { processId } = await registerVoiceProcess(live.core, { url, sipAddress: '', capacity: 10 });
  const give = statement('', 'update live_calls set voice_process_id = $2 where call_id = $1');
  await database.db.query(give, [callId, processId]);
});

afterAll(async () => {
  await live.stop();
  voice.closeAllConnections();
  voice.close();
});

test('the process of the call is asked, and the account decides about the announcement', async () => {
  asked.length = 0;
  const { calls, account } = owner.trpc;
  const { path } = await calls.listen.mutate({ id: callId });
  expect(path).toBe(`/supervise?ticket=${callId}.abc`);
  await account.announceListening.mutate({ is_announced: false });
  expect(await account.announcesListening.query()).toBe(false);
  await calls.listen.mutate({ id: callId });
  await calls.takeOver.mutate({ id: callId });
  await calls.whisper.mutate({ id: callId, text: ' Be brief. ' });
  await calls.transfer.mutate({ id: callId, destination: 'Ann' });
  const base = `/internal/calls/${callId}`;
  expect(asked).toEqual([
    `${base}/supervisors {"mode":"listen","is_announced":true}`,
    `${base}/supervisors {"mode":"listen","is_announced":false}`,
    `${base}/supervisors {"mode":"talk","is_announced":false}`,
    `${base}/whispers {"text":"Be brief."}`,
    `${base}/transfer {"destination":"Ann"}`,
  ]);
});

function connect(ticket: string, browser: Browser | null = owner): WebSocket {
  return new WebSocket(`${live.url.replace('http', 'ws')}/supervise?ticket=${ticket}`, {
    origin: live.url,
    headers: browser ? { cookie: `parley_session=${browser.cookie()}` } : {},
  });
}

test('the WebSocket reaches the process of the call that the ticket names', async () => {
  const socket = connect(`${callId}.abc`);
  const [greeting] = (await once(socket, 'message')) as [Buffer];
  expect(greeting.toString()).toBe('hello');
  expect(asked.at(-1)).toBe(`upgrade /internal/supervisors?ticket=${callId}.abc`);
  socket.close();
});

test('a ticket of no live call is refused', async () => {
  for (const ticket of ['', 'abc', '999999999.abc', '99999999999999999999.abc']) {
    const [error] = (await once(connect(ticket), 'error')) as [Error];
    expect(error.message, ticket).toContain('503');
  }
});

test('a ticket is good with a session of its owner only', async () => {
  asked.length = 0;
  const [withoutSession] = (await once(connect(`${callId}.abc`, null), 'error')) as [Error];
  expect(withoutSession.message).toContain('401');
  const [stranger] = (await once(connect(`${callId}.abc`, other), 'error')) as [Error];
  expect(stranger.message).toContain('503');
  expect(asked).toEqual([]);
});

test('a supervisor is disconnected soon after the session has ended elsewhere', async () => {
  const second = await signInOperator(live);
  const staying = connect(`${callId}.abc`);
  const leaving = connect(`${callId}.abc`, second);
  await Promise.all([once(staying, 'message'), once(leaving, 'message')]);
  const closed = once(leaving, 'close');
  await second.trpc.session.signOut.mutate();
  await closed;
  expect(staying.readyState).toBe(WebSocket.OPEN);
  staying.close();
});

test("another user's call is not found, and nothing is asked", async () => {
  asked.length = 0;
  const { calls } = other.trpc;
  for (const attempt of [
    () => calls.listen.mutate({ id: callId }),
    () => calls.takeOver.mutate({ id: callId }),
    () => calls.whisper.mutate({ id: callId, text: 'Be brief.' }),
    () => calls.transfer.mutate({ id: callId, destination: 'Ann' }),
  ])
    await expect(attempt()).rejects.toMatchObject({ data: { httpStatus: 404 } });
  expect(asked).toEqual([]);
});
