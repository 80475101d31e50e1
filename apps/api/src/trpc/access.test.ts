/** Without a session, the procedures of the admin app answer 401, whatever is sent to them. */
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInUser } from '../../test/signed-in.ts';
import { appRouter } from './router.ts';

/** With them a session begins and ends. */
const OPEN = ['session.me', 'session.redeemLink', 'session.signIn', 'session.signOut'];

const database = useTestDatabase();
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});

afterAll(() => live.stop());

// tRPC keeps all procedures in one flat record, which its types describe as a tree.
const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
).filter(([, { _def }]) => _def.type !== 'subscription');

test('only the procedures that begin and end sessions answer without one', async () => {
  const open: string[] = [];
  for (const [name, { _def }] of procedures) {
    const method = _def.type === 'query' ? 'GET' : 'POST';
    for (const cookie of [undefined, 'parley_session=forged']) {
      const headers = { origin: live.url, ...(cookie && { cookie }) };
      const request = { method, token: null, headers, ...(method === 'POST' && { body: {} }) };
      const { status } = await live.ask(`/trpc/${name}`, request);
      if (status !== 401 && !open.includes(name)) open.push(name);
    }
  }
  expect(procedures.length).toBeGreaterThan(100);
  expect(open.toSorted()).toEqual(OPEN);
});

test('a large body without a session is refused before it is read', async () => {
  const headers = { origin: live.url };
  const signIn = async (body: string) => {
    const { status } = await live.ask('/trpc/session.signIn', { method: 'POST', token: null, headers, body });
    return status;
  };
  expect(await signIn(`{"a":[${'[],'.repeat(5000)}1]}`)).toBe(422);
  expect(await signIn(`{"a":[${'[],'.repeat(6000)}1]}`)).toBe(401);
});

test('a body with very many values, or a form, is refused before it is parsed', async () => {
  const { userId } = await live.addUser('Member');
  const cookie = `parley_session=${(await signInUser(live, userId)).cookie()}`;
  const create = async (body: string, type = 'application/json') => {
    const headers = { origin: live.url, cookie, 'content-type': type };
    const path = '/trpc/assistants.create';
    const { status, body: answer } = await live.ask(path, { method: 'POST', token: null, headers, body });
    return { status, message: (answer as { error: { message: string } }).error.message };
  };
  expect(await create(`[${'[],'.repeat(20_000)}1]`)).toMatchObject({ status: 422 });
  const { status, message } = await create(`[${'[],'.repeat(340_000)}1]`);
  expect(status).toBe(413);
  expect(message).toContain('50,000');
  const part = '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nA\r\n--b--\r\n';
  expect(await create(part, 'multipart/form-data; boundary=b')).toMatchObject({ status: 415 });
});
