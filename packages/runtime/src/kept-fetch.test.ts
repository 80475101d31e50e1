import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { pause, systemClock } from './clock.ts';
import { keptFetch } from './kept-fetch.ts';

/** Longer than `fetch` of Node keeps a connection open; with a shorter pause this test could not fail. */
const NODE_KEEPS_MS = 4500;

test('a connection is used again after a pause', async () => {
  const server = createServer((_request, response) => response.end('yes'));
  server.keepAliveTimeout = 0; // never, and nothing is said of it
  const connections = new Set<unknown>();
  server.on('connection', (socket) => connections.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect(await (await keptFetch(url)).text()).toBe('yes');
  await pause(systemClock, NODE_KEEPS_MS);
  expect(await (await keptFetch(url, { method: 'POST', body: '{}' })).text()).toBe('yes');
  expect(connections.size).toBe(1);
  server.closeAllConnections();
  server.close();
});
