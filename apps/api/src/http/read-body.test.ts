import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RefusedRequest } from '../http-errors.ts';
import { readBody } from './read-body.ts';

/** Answers with what was read, or with the refusal's status. */
const server = createServer((request, response) => {
  readBody(request).then(
    (body) => response.end(JSON.stringify(body)),
    (error: unknown) => {
      outcomes.push(error);
      response.writeHead(error instanceof RefusedRequest ? error.answer.status : 500).end();
    },
  );
});
const outcomes: unknown[] = [];
let port = 0;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});

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
  ['as a kind of JSON', SENT, { 'content-type': 'application/merge-patch+json' }, SENT],
  ['with a byte order mark', `\u{feff}${SENT}`, {}, SENT],
  ['gzipped', gzipSync(SENT), { 'content-encoding': 'gzip' }, SENT],
  ['deflated', deflateSync(SENT), { 'content-encoding': 'Deflate' }, SENT],
  ['in brotli', brotliCompressSync(SENT), { 'content-encoding': 'br' }, SENT],
  ['nothing', '', {}, '{}'],
  ['a list', '[1]', {}, '{}'],
  ['of another charset', SENT, { 'content-type': 'application/json; charset=utf-16' }, 415],
  ['of another type', SENT, { 'content-type': 'text/json' }, 415],
  ['packed in what nobody knows', SENT, { 'content-encoding': 'constructor' }, 415],
  ['gzip that is none', SENT, { 'content-encoding': 'gzip' }, 400],
  ['gzip that ends early', gzipSync(SENT).subarray(0, 12), { 'content-encoding': 'gzip' }, 400],
  ['half of it', SENT.slice(0, 5), {}, 400],
  ['too large', TWO_MEBIBYTES, {}, 413],
  ['too large once unpacked', gzipSync(TWO_MEBIBYTES), { 'content-encoding': 'gzip' }, 413],
])('a body %s', async (_what, body, headers, expected) => {
  expect(await ask(body, headers)).toBe(expected);
});

test('a body without a length is cut off where it is too large', async () => {
  const stream = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(65_536).fill(32));
    },
  });
  const init = {
    method: 'POST',
    body: stream,
    duplex: 'half',
    headers: { 'content-type': 'application/json' },
  };
  // The server may hang up before it is through with us.
  const status = await fetch(`http://127.0.0.1:${port}/`, init as RequestInit).then(
    (response) => response.status,
    () => 413,
  );
  expect(status).toBe(413);
  expect(outcomes.at(-1)).toMatchObject({ answer: { status: 413 } });
});

test('whoever leaves in the middle of a body has sent a bad one, which is no fault of ours', async () => {
  const before = outcomes.length;
  const socket = connect(port, '127.0.0.1');
  const asked = once(server, 'request');
  socket.write(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"',
  );
  await asked;
  socket.destroy();
  await expect.poll(() => outcomes.length).toBe(before + 1);
  expect(outcomes.at(-1)).toMatchObject({ answer: { status: 400 } });
});

test('whoever leaves in the middle of a packed body ends the reading of it', async () => {
  const reading = Promise.withResolvers<unknown>();
  const left = createServer((request) => {
    reading.resolve(readBody(request));
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(left, 'listening');
  const socket = connect((left.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 99\r\n\r\n',
  );
  await expect(reading.promise).rejects.toBeInstanceOf(RefusedRequest);
  left.close();
});
