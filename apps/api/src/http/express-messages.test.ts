import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { bornForExpress } from './express-messages.ts';

test('a message keeps the prototype it was born with, and can all that Express gives it', async () => {
  const app = express();
  const seen: { request: unknown; response: unknown }[] = [];
  const note = (request: IncomingMessage, response: ServerResponse): void =>
    void seen.push({
      request: Object.getPrototypeOf(request) as unknown,
      response: Object.getPrototypeOf(response) as unknown,
    });
  app.get('/', (request, response) => {
    note(request, response);
    response.json({ path: request.path, isOfThisApp: request.app === app && response.app === app });
  });
  const server = createServer(...bornForExpress(app));
  server.prependListener('request', note);
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await answer.json()).toEqual({ path: '/', isOfThisApp: true });
  } finally {
    server.closeAllConnections();
    server.close();
  }
  expect(seen).toHaveLength(2);
  expect(seen[0]?.request).toBe(seen[1]?.request);
  expect(seen[0]?.response).toBe(seen[1]?.response);
});
