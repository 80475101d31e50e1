import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { api } from '@parley/contracts';
import { captureLog } from '@parley/testkit';
import { systemClock } from '@parley/runtime';
import express, { type RequestHandler } from 'express';
import { afterAll, expect, test } from 'vitest';
import { createErrorHandler } from './error-handler.ts';
import { readJsonBody } from './json-body.ts';
import { observeRequests } from './request-facts.ts';

const captured = captureLog();
const statuses: number[] = [];
const app = express();
app.use(observeRequests(systemClock, [({ status }) => statuses.push(status)]));
app.use((request, _response, next) => {
  Object.assign(request, { tsRestRoute: api.calls.make });
  next();
});
app.use(readJsonBody as RequestHandler[]);
app.use((request, response) => void response.json(request.body));
app.use(createErrorHandler(captured.log));
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(body: string | Buffer, headers: Record<string, string>) {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return response.status === 200 ? response.text() : response.status;
}

const SENT = '{"a":"é"}';
const TWO_MEBIBYTES = JSON.stringify({ a: 'x'.repeat(2 ** 21) });

test.each<[string, string | Buffer, Record<string, string>, string | number]>([
  ['as it is', SENT, {}, SENT],
  ['with its charset', SENT, { 'content-type': 'application/json; charset="UTF-8"' }, SENT],
  ['with a common name of its charset', SENT, { 'content-type': 'application/json;charset=UTF8' }, SENT],
  ['as a kind of JSON', SENT, { 'content-type': 'application/merge-patch+json' }, SENT],
  ['with a byte order mark', `\u{feff}${SENT}`, {}, SENT],
  ['gzipped', gzipSync(SENT), { 'content-encoding': 'gzip' }, SENT],
  ['deflated', deflateSync(SENT), { 'content-encoding': 'Deflate' }, SENT],
  ['in brotli', brotliCompressSync(SENT), { 'content-encoding': 'br' }, SENT],
  ['nothing', '', {}, '{}'],
  ['a list', '[1]', {}, '{}'],
  ['of another charset', SENT, { 'content-type': 'application/json; charset=utf-16' }, 415],
  ['of another type', SENT, { 'content-type': 'text/json' }, 415],
  ['in an unknown encoding', SENT, { 'content-encoding': 'constructor' }, 415],
  ['that is not gzip', SENT, { 'content-encoding': 'gzip' }, 400],
  ['gzip that ends early', gzipSync(SENT).subarray(0, 12), { 'content-encoding': 'gzip' }, 400],
  ['cut short', SENT.slice(0, 5), {}, 400],
  ['too large', TWO_MEBIBYTES, {}, 413],
  ['too large once decompressed', gzipSync(TWO_MEBIBYTES), { 'content-encoding': 'gzip' }, 413],
])('a body %s', async (_what, body, headers, expected) => {
  expect(await ask(body, headers)).toBe(expected);
});

test.each(['identity', 'gzip'])(
  'a client that disconnects within a body (%s) ends the reading, and no error is logged',
  async (coding) => {
    const before = statuses.length;
    const socket = connect(port, '127.0.0.1');
    const asked = once(server, 'request');
    const head = [
      'POST / HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      `Content-Encoding: ${coding}`,
      'Content-Length: 9',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await asked;
    socket.destroy();
    await expect.poll(() => statuses.length).toBe(before + 1);
    expect(captured.messages()).toEqual([]);
  },
);
