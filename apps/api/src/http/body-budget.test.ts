import { once } from 'node:events';
import { connect } from 'node:net';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInOperator } from '../../test/signed-in.ts';

const database = useTestDatabase();
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});

afterAll(() => live.stop());

/** A request that never sends the last byte of its body. */
async function begin(path: string, headers: Record<string, string>) {
  const socket = connect(Number(new URL(live.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const lines = Object.entries({ host: 'localhost', 'content-type': 'application/json', ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n`);
  const answered = once(socket, 'data').then(([data]) => String(data));
  return { answered, end: () => socket.destroy() };
}

/** As many as are allowed, and one that is refused. */
async function beginMany(path: string, headers: Record<string, string>) {
  const open = await Promise.all(Array.from({ length: 65 }, async () => begin(path, headers)));
  expect(await Promise.race(open.map(async ({ answered }) => answered))).toContain(' 429 ');
  return open;
}

const SMALL = { method: 'POST', body: { name: 'Folder' } };

test.each([
  ['that tell their size', { 'content-length': String(1024 * 1024) }],
  ['in chunks', { 'transfer-encoding': 'chunked' }],
  ['that are compressed', { 'content-length': '100', 'content-encoding': 'gzip' }],
])('a user has at most 64 MiB of bodies %s open, and others are not affected', async (what, headers) => {
  const { token } = await live.addUser(`Sender${what.length}`);
  const authorization = `Bearer ${token}`;
  const open = await beginMany('/api/user/folders', { authorization, ...headers });
  const refused = async (): Promise<number> =>
    (await live.ask('/api/user/folders', { ...SMALL, token })).status;
  expect(await refused()).toBe(429);
  const other = await live.addUser(`Other${what.length}`);
  const answer = await live.ask('/api/user/folders', { ...SMALL, token: other.token });
  expect(answer.status).not.toBe(429);
  for (const { end } of open) end();
  await expect.poll(refused, { timeout: 10_000 }).not.toBe(429);
});

test('bodies of the admin app count for their network address', async () => {
  const session = (await signInOperator(live)).cookie();
  const open = await beginMany('/trpc/assistants.create', {
    cookie: `parley_session=${session}`,
    host: new URL(live.url).host,
    origin: live.url,
    'content-length': String(1024 * 1024),
  });
  const answers = async (): Promise<number> =>
    (await live.ask('/trpc/session.signIn', { method: 'POST', body: {}, token: null })).status;
  expect(await answers()).toBe(429);
  for (const { end } of open) end();
  await expect.poll(answers, { timeout: 10_000 }).not.toBe(429);
});
