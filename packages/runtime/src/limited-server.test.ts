/** Clients that hold connections: with real sockets, and a limits that are short. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createLimitedServer, type ConnectionLimits } from './limited-server.ts';

const MiB = 1024 * 1024;
let server: Server;
let closed: Promise<unknown>;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A server that answers with 64 MiB, and a client that has asked and does not read. */
async function setup(limits: Partial<ConnectionLimits> = { silenceMs: 300 }): Promise<Socket> {
  server = createLimitedServer((_request, response) => {
    closed = once(response, 'close');
    response.end(Buffer.alloc(64 * MiB));
  }, limits);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(server, 'request');
  return socket;
}

test('a client that does not read the answer is disconnected', async () => {
  const socket = await setup();
  socket.on('error', () => undefined);
  await closed;
  socket.destroy();
});

test('a client that reads slowly gets the whole answer', async () => {
  const silenceMs = 2000;
  const socket = await setup({ silenceMs });
  let bytes = 0;
  const all = Promise.withResolvers<void>();
  socket.on('data', (chunk: Buffer) => {
    const before = bytes;
    bytes += chunk.length;
    if (bytes >= 64 * MiB) all.resolve();
    else if (Math.floor(before / (8 * MiB)) < Math.floor(bytes / (8 * MiB))) {
      socket.pause();
      setTimeout(() => socket.resume(), silenceMs / 5);
    }
  });
  socket.resume();
  socket.on('close', () => all.reject(new Error(`The connection closed after ${bytes} bytes`)));
  await all.promise;
  socket.destroy();
});

test('a connection that sends nothing, or a part of a head, is not held for ever', async () => {
  await setup();
  const silent = connect((server.address() as AddressInfo).port, '127.0.0.1');
  silent.on('error', () => undefined);
  await once(silent, 'connect');
  silent.write('GET / HTTP/1.1\r\nX: ');
  await once(silent, 'close');
  expect(server.headersTimeout).toBeLessThanOrEqual(30_000);
});

test.each([
  ['head', { headMs: 300, requestMs: 0 }, 'GET / HTTP/1.1\r\nHost: localhost\r\nX: '],
  [
    'body',
    { headMs: 300, requestMs: 300 },
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n',
  ],
])('a client that sends its %s byte by byte is disconnected', async (_part, limits, beginning) => {
  server = createLimitedServer(
    (request, response) => request.resume().once('end', () => response.end()),
    limits,
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const slow = connect((server.address() as AddressInfo).port, '127.0.0.1');
  slow.on('error', () => undefined);
  slow.resume();
  // `once` would reject for the error of a write that the server's end has overtaken.
  const closes = new Promise((resolve) => slow.on('close', resolve));
  slow.write(beginning);
  const drip = setInterval(() => slow.write('a'), 20);
  await closes;
  clearInterval(drip);
});

test('a WebSocket may be silent for longer', async () => {
  await setup();
  server.on('upgrade', (_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  const port = (server.address() as AddressInfo).port;
  const upgraded = connect(port, '127.0.0.1');
  upgraded.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await once(upgraded, 'data');
  for (let count = 0; count < 2; count++) {
    const silent = connect(port, '127.0.0.1');
    silent.resume();
    await once(silent, 'close');
  }
  expect(upgraded.readyState).toBe('open');
  upgraded.destroy();
});
