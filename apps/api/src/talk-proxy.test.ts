import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Browser } from '../test/browser.ts';
import { startLiveApi, type LiveApi } from '../test/live-api.ts';
import { signInOperator } from '../test/signed-in.ts';

const database = useTestDatabase();
const INTERNAL_SECRET = 'the internal secret of this test, long enough';
let live: LiveApi;
let browser: Browser;
let voice: Server;
/** The requests that the simulated voice process received. */
const asked: { url: string | undefined; authorization: string | undefined; cookie: string | undefined }[] =
  [];

beforeAll(async () => {
  voice = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  voice.on('upgrade', (request, socket, head) => {
    asked.push({
      url: request.url,
      authorization: request.headers.authorization,
      cookie: request.headers.cookie,
    });
    if (request.url?.includes('ticket=bad')) {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.send(JSON.stringify({ type: 'ready', call_id: 1 }));
      client.on('message', (data, isBinary) => client.send(data, { binary: isBinary }));
    });
  });
  voice.listen(0, '127.0.0.1');
  await once(voice, 'listening');
  const { port } = voice.address() as AddressInfo;
  live = await startLiveApi({
    db: database.db,
    settings: { VOICE_URL: `http://127.0.0.1:${port}`, INTERNAL_SECRET },
  });
  browser = await signInOperator(live);
});

afterAll(async () => {
  await live.stop();
  voice.closeAllConnections();
  voice.close();
});

const connect = (ticket: string) =>
  new WebSocket(`${live.url.replace('http', 'ws')}/talk?ticket=${ticket}`, {
    origin: live.url,
    headers: { cookie: `parley_session=${browser.cookie()}` },
  });

test('audio and messages are proxied in both directions, with the internal secret and without the cookie', async () => {
  const socket = connect('good');
  const [greeting] = (await once(socket, 'message')) as [Buffer];
  expect(JSON.parse(greeting.toString())).toEqual({ type: 'ready', call_id: 1 });
  const frame = Buffer.alloc(640, 7);
  socket.send(frame);
  const [echo, isBinary] = (await once(socket, 'message')) as [Buffer, boolean];
  expect(isBinary).toBe(true);
  expect(echo.equals(frame)).toBe(true);
  expect(asked.at(-1)).toEqual({
    url: '/internal/web-calls?ticket=good',
    authorization: `Bearer ${INTERNAL_SECRET}`,
    cookie: undefined,
  });
  socket.close();
  await once(socket, 'close');
});

test('a refusal of voice reaches the browser', async () => {
  const socket = connect('bad');
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    { statusCode: number; resume(): void },
  ];
  response.resume();
  expect(response.statusCode).toBe(404);
});

test("the browser's socket closes when voice disconnects", async () => {
  const socket = connect('gone');
  await once(socket, 'message');
  const closed = once(socket, 'close');
  voice.closeAllConnections();
  for (const upgraded of upgradedSockets) upgraded.destroy();
  await closed;
});

const upgradedSockets = new Set<{ destroy(): void }>();
beforeAll(() => {
  voice.on('upgrade', (_request, socket) => upgradedSockets.add(socket));
});
