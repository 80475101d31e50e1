import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, expectTypeOf, test } from 'vitest';
import type { CsvUpload } from '@parley/contracts';
import { createParleyClient, type ParleyClient } from './index.ts';

/** The body of each try. */
let tries: { headers: IncomingHttpHeaders; text: string }[];
/** The statuses of the responses, in order. */
let statuses: number[];
let server: Server;
let parley: ParleyClient;

beforeEach(async () => {
  tries = [];
  statuses = [200];
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      tries.push({ headers: request.headers, text });
      response
        .writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' })
        .end('{"message":"done"}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  parley = createParleyClient({ baseUrl, token: 'parley_x', wait: () => Promise.resolve() });
});

afterEach(() => void server.close());

async function* pieces() {
  yield Buffer.from('phone\n');
  await Promise.resolve();
  yield Buffer.from('+12025550100\n');
}

const FILE = 'phone\n+12025550100\n';

test.each<[string, () => CsvUpload, string | undefined]>([
  ['a text', () => FILE, '19'],
  ['bytes', () => Buffer.from(FILE), '19'],
  ['a file', () => new Blob([FILE]), '19'],
  ['a stream', () => new Blob([FILE]).stream(), undefined],
  ['chunks', pieces, undefined],
])('%s is sent as it is, as CSV under a key, with its size where that is known', async (_, body, size) => {
  await parley.leadImports.create({ params: { id: 3 }, query: { file_name: 'mai.csv' }, body: body() });
  expect(tries).toMatchObject([{ text: FILE, headers: { 'content-type': 'text/csv' } }]);
  expect(tries[0]?.headers['content-length']).toBe(size);
  expect(tries[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
});

test('an upload that can be read again is repeated with the same key', async () => {
  statuses = [503, 200];
  await parley.leadImports.create({ params: { id: 3 }, body: new Blob([FILE]) });
  expect(tries.map(({ text }) => text)).toEqual([FILE, FILE]);
  expect(new Set(tries.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

test('a stream is sent once', async () => {
  statuses = [503, 200];
  const sent = parley.leadImports.create({ params: { id: 3 }, body: pieces() });
  await expect(sent).rejects.toMatchObject({ status: 503 });
  expect(tries).toHaveLength(1);
});

test('progress is reported', async () => {
  const progress: number[] = [];
  const onUpload = (bytes: number) => void progress.push(bytes);
  await parley.leadImports.create({ params: { id: 3 }, body: pieces() }, { onUpload });
  expect(progress).toEqual([6, 19]);
});

test('the report is text', () => {
  type Report = Awaited<ReturnType<ParleyClient['leadImports']['report']>>['body'];
  expectTypeOf<Report>().toEqualTypeOf<string>();
});
