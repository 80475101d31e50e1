import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { ManualClock } from '@parley/runtime';
import { afterEach, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { SpeechError } from '../ports.ts';
import { ProviderSocket } from './provider-socket.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

async function portOf(server: Server | WebSocketServer): Promise<number> {
  if (!server.address()) await once(server, 'listening');
  undo.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

function connect(port: number, apiKey: string | null = null) {
  const clock = new ManualClock();
  const messages: unknown[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<SpeechError>();
  let endings = 0;
  const socket = new ProviderSocket({
    url: `ws://127.0.0.1:${port}`,
    headers: {},
    apiKey,
    clock,
    onMessage: (message) => messages.push(message),
    onEnd: (error) => {
      endings += 1;
      resolve(error);
    },
  });
  undo.push(() => socket.close());
  return { clock, socket, messages, ended, endings: () => endings };
}

it('gives up after 3 s where a connection is taken and never answered', async () => {
  const silent = createServer((stream) => stream.on('error', () => {}));
  silent.listen(0, '127.0.0.1');
  const { clock, socket, ended } = connect(await portOf(silent));
  await once(silent, 'connection');
  clock.advance(2999);
  expect(socket.isUsable).toBe(true);
  clock.advance(1);
  expect(await ended).toMatchObject({ kind: 'timed-out' });
  expect(socket.isUsable).toBe(false);
  expect(clock.pendingTimers()).toBe(0);
});

it('sends what came before it was open, in order, and takes answers', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const heard: string[] = [];
  server.on('connection', (peer) => {
    peer.on('message', (data: Buffer, isBinary) => {
      heard.push(isBinary ? `${data.length} bytes` : data.toString());
      if (heard.length === 2) peer.send('{"type":"done"}');
      if (heard.length === 2) peer.close(1000, 'enough');
    });
  });
  const { socket, messages, ended, endings } = connect(await portOf(server));
  socket.send({ type: 'hello' });
  socket.send(new Uint8Array(3));
  expect(await ended).toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('enough') as string,
  });
  expect(heard).toEqual(['{"type":"hello"}', '3 bytes']);
  expect(messages).toEqual([{ type: 'done' }]);
  expect(endings()).toBe(1);
});

it.each([
  [1008, 'rejected'],
  [1011, 'unavailable'],
  [1013, 'unavailable'],
] as const)('tells a close with the code %i as %s, without the key', async (code, kind) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (peer) => peer.close(code, 'not with sk-secret'));
  const { ended } = connect(await portOf(server), 'sk-secret');
  expect(await ended).toMatchObject({
    kind,
    message: `The provider closed the connection (${code}): not with [key]`,
  });
});

it.each([
  ['binary', Buffer.from([1, 2])],
  ['no JSON', '<html>'],
  ['no object', '7'],
  ['larger than 8 MB', JSON.stringify({ text: 'x'.repeat(8_000_000) })],
])('refuses a message that is %s', async (_name, message) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (peer) => peer.send(message));
  const { ended, messages } = connect(await portOf(server));
  expect(await ended).toMatchObject({ kind: 'unavailable' });
  expect(messages).toEqual([]);
});

it('tells nothing after it was closed, also while it connects', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const { clock, socket, endings } = connect(await portOf(server));
  socket.close();
  socket.close();
  socket.send({ type: 'late' });
  clock.advance(10_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(endings()).toBe(0);
  expect(clock.pendingTimers()).toBe(0);
});
