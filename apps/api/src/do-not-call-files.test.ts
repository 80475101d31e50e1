import { afterAll, beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from '@parley/testkit';
import { startLiveApi, type LiveApi } from '../test/live-api.ts';
import { signInOperator } from '../test/signed-in.ts';

const database = useTestDatabase();
let live: LiveApi;
let cookie: string;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  const browser = await signInOperator(live);
  cookie = `parley_session=${browser.cookie()}`;
});

afterAll(() => live.stop());

const PATH = '/do-not-call-files/import';
const TYPE = 'application/octet-stream';

function send(body: string, headers: Record<string, string> = {}) {
  return live.ask(PATH, {
    method: 'POST',
    token: null,
    body,
    headers: { 'content-type': TYPE, cookie, ...headers },
  });
}

test('a signed-in page adds a file to the list, which the audit log records, and exports the list', async () => {
  const sent = await send('phone,reason\n+12025550151,Letter\nx,\n');
  expect(sent).toMatchObject({ status: 200, body: { rows: 2, added: 1, already_listed: 0, refused: 1 } });
  const log = await live.ask('/api/user/audit-log');
  expect(log.text).toContain('doNotCall.import');
  const file = await live.ask('/do-not-call-files/export?phone_number=0151', {
    token: null,
    headers: { cookie },
  });
  expect(file.headers.get('content-disposition')).toContain('do-not-call.csv');
  expect(file.text).toMatch(/^phone_number,reason,created_at,call_id\r\n'\+12025550151,Letter,/);
});

test('without a session, from another origin or as another type, a file is not read', async () => {
  expect((await send('phone\n+12025550152\n', { cookie: 'parley_session=unknown' })).status).toBe(401);
  expect((await send('phone\n+12025550152\n', { origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await send('phone\n+12025550152\n', { 'content-type': 'application/json' })).status).toBe(415);
  expect((await live.ask('/do-not-call-files/export', { token: null })).status).toBe(401);
  const list = await live.ask('/api/user/do-not-call?phone_number=0152');
  expect(list.body).toMatchObject({ total: 0 });
});

test('a file without numbers is refused with the reason', async () => {
  expect(await send('name\nAda\n')).toMatchObject({ status: 422 });
});
