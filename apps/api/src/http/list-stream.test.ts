import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { systemClock } from '@parley/runtime';
import { captureLog } from '@parley/testkit';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { ListStream, openListStream } from './list-stream.ts';
import { observeRequests } from './request-facts.ts';

type Batches = () => AsyncGenerator<readonly unknown[]>;

/** A server with one path, which returns the list. */
async function setup(batches: Batches) {
  const captured = captureLog();
  const ended = Promise.withResolvers<void>();
  async function* watched() {
    try {
      yield* batches();
    } finally {
      ended.resolve();
    }
  }
  const app = express();
  app.use(observeRequests(systemClock, []));
  app.get('/', (request, response, next) => {
    const options = { request, response, log: captured.log };
    openListStream(new ListStream(watched()), options).then((stream) => stream.pipe(response), next);
  });
  app.use(((_error, _request, response, _next) => {
    response.status(500).json({ message: 'Server Error' });
  }) satisfies express.ErrorRequestHandler);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/`, captured, ended: ended.promise };
}

test.each<[string, Batches, string]>([
  ['no batch', async function* () {}, '[]'],
  [
    'an empty batch',
    async function* () {
      yield [];
    },
    '[]',
  ],
  [
    'one batch',
    async function* () {
      yield [{ a: 1 }, { a: 2 }];
    },
    '[{"a":1},{"a":2}]',
  ],
  [
    'several batches, one of them empty',
    async function* () {
      yield [1];
      yield [];
      yield [2, 3];
    },
    '[1,2,3]',
  ],
])('%s is one JSON array', async (_what, batches, expected) => {
  const { url } = await setup(batches);
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.text()).toBe(expected);
});

test('a failure before the first batch is answered with an error', async () => {
  const { url } = await setup(async function* () {
    yield await Promise.reject<number[]>(new Error('The database is gone'));
  });
  expect((await fetch(url)).status).toBe(500);
});

test('a later failure closes the connection, so that a partial list cannot be taken for a complete one, and is logged', async () => {
  const { url, captured } = await setup(async function* () {
    yield [1];
    throw new Error('The database is gone');
  });
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
  expect(captured.messages()).toContain('A request failed');
});

test('a client that does not read stops the batches, and one that disconnects ends them', async () => {
  let made = 0;
  const { port, ended } = await setup(async function* () {
    for (; made < 10_000; made++) yield ['x'.repeat(100_000)];
  });
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'readable');
  socket.destroy();
  await ended;
  // A gigabyte was available; the sent part fits into the buffers of the sockets.
  expect(made).toBeLessThan(1000);
});

test('HEAD reads no further than the first batch', async () => {
  let made = 0;
  const { url, ended } = await setup(async function* () {
    for (; made < 100; made++) yield [made];
  });
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  await ended;
  expect(made).toBeLessThan(3);
});
