/** Limits of one user and one trunk, and the address for webhooks about them: who writes them, and what is refused. */
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();
let live: LiveApi;
let member: { userId: number; token: string };

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  member = await live.addUser('Member');
});

afterAll(() => live.stop());

const TRUNKS = '/api/user/phone-numbers/sip-trunks';
const USERS = '/api/user/users';
const OPERATORS_ONLY = [403, { message: 'This needs the role "operator".' }];
const trunk = { name: 'Carrier', host: 'sip.carrier.example' };
const limits = { max_calls_per_second: 3, max_calls_per_day: 200, max_cost_per_day: 12.5 };
const none = { max_calls_per_second: null, max_calls_per_day: null, max_cost_per_day: null };

async function write(method: string, path: string, body: unknown, token = live.token) {
  const answer = await live.ask(path, { method, body, token });
  return { ...answer, data: (answer.body as { data?: Record<string, unknown> }).data };
}

test('an operator limits a user, and reads the limits', async () => {
  const path = `${USERS}/${member.userId}`;
  const address = { limit_webhook_url: 'https://example.com/limits' };
  expect((await write('PUT', path, { ...limits, ...address })).data).toMatchObject({ ...limits, ...address });
  const list = (await live.ask(USERS)).body as { id: number }[];
  expect(list.find(({ id }) => id === member.userId)).toMatchObject({ ...limits, ...address });
  expect((await write('PUT', path, { max_calls_per_day: '5' })).data).toMatchObject({
    ...limits,
    ...address,
    max_calls_per_day: 5,
  });
  const cleared = { ...none, limit_webhook_url: null };
  expect((await write('PUT', path, cleared)).data).toMatchObject(cleared);
});

test('an operator limits a shared trunk; a member changes no limits, also not of a trunk of their own', async () => {
  const { data: shared } = await write('POST', TRUNKS, { ...trunk, ...limits, is_shared: true });
  expect(shared).toMatchObject(limits);
  expect((await write('PUT', `${TRUNKS}/${String(shared?.['id'])}`, none)).data).toMatchObject(none);
  const refused = await write('POST', TRUNKS, { ...trunk, max_calls_per_day: 5 }, member.token);
  expect([refused.status, refused.body]).toEqual(OPERATORS_ONLY);
  const { data: own } = await write('POST', TRUNKS, { ...trunk, ...none }, member.token);
  const path = `${TRUNKS}/${String(own?.['id'])}`;
  for (const limit of Object.entries(limits)) {
    const answer = await write('PUT', path, Object.fromEntries([limit]), member.token);
    expect([answer.status, answer.body]).toEqual(OPERATORS_ONLY);
  }
  const changed = await write('PUT', path, { ...none, name: 'Mine' }, member.token);
  expect(changed.data).toMatchObject({ ...none, name: 'Mine' });
});

test.each([
  [{ max_calls_per_second: 0 }, 'The max calls per second must be between 1 and 1000.'],
  [{ max_calls_per_day: -1 }, 'The max calls per day must be between 0 and 100000000.'],
  [{ max_cost_per_day: 'x' }, 'The max cost per day must be a number.'],
  [{ limit_webhook_url: '/hook' }, 'The limit webhook url must be a valid URL.'],
])('%j is refused: %s', async (body, text) => {
  const [field = ''] = Object.keys(body);
  const answer = await write('PUT', `${USERS}/${member.userId}`, body);
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ errors: { [field]: [text] } });
});
