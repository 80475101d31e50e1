import { beforeAll, afterAll, expect, test } from 'vitest';
import { useTestDatabase } from '@parley/testkit';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { makeFailedDelivery } from '../../test/webhooks.ts';

const database = useTestDatabase();
const PATH = '/api/user/webhook-deliveries';
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});
afterAll(() => live.stop());

test('the log is a page of the common envelope', async () => {
  const id = await makeFailedDelivery(live);
  const { body } = await live.ask(`${PATH}?per_page=1`);
  expect(body).toMatchObject({ per_page: 1, current_page: 1, data: [{ id, status: 'failed' }] });
  expect((body as { links: unknown[] }).links.length).toBeGreaterThan(2);
});

test.each(['12', 'no-id', '9f0c9a8f-1d2e-4f3a-8b6a-1f0a45a0e4b7'])(
  '%s is not the id of a webhook',
  async (id) => {
    for (const [path, method] of [
      [`${PATH}/${id}`, 'GET'],
      [`${PATH}/${id}/resend`, 'POST'],
    ] as const) {
      const answer = await live.ask(path, { method });
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ message: 'Webhook delivery not found' });
    }
  },
);

test('one Idempotency-Key resends a webhook once', async () => {
  const id = await makeFailedDelivery(live);
  const request = { method: 'POST', headers: { 'idempotency-key': 'again' } };
  const first = await live.ask(`${PATH}/${id}/resend`, request);
  expect(first.body).toMatchObject({ data: { id, status: 'pending', reason: null } });
  const second = await live.ask(`${PATH}/${id}/resend`, request);
  expect(second.body).toEqual(first.body);
});

test('resending many answers with their number, and requires the days', async () => {
  await makeFailedDelivery(live);
  const body = { date_from: '2020-01-01', date_to: '2099-12-31' };
  const { body: answer } = await live.ask(`${PATH}/resend`, { method: 'POST', body });
  expect((answer as { data: { count: number } }).data.count).toBeGreaterThan(0);
  const refused = await live.ask(`${PATH}/resend`, { method: 'POST', body: { date_to: '2026-02-30' } });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({
    errors: {
      date_from: ['The date from field is required.'],
      date_to: ['The date to format is invalid.'],
    },
  });
});

test('a new secret is shown once, also where the request is repeated', async () => {
  const request = { method: 'POST', headers: { 'idempotency-key': 'new secret' }, body: {} };
  const first = await live.ask('/api/user/webhook-secret/rotate', request);
  const { data } = first.body as { data: { secret: string; prefix: string; old_prefix: string } };
  expect(data.secret.startsWith(data.prefix)).toBe(true);
  expect(data.old_prefix).not.toBe(data.prefix);
  const second = await live.ask('/api/user/webhook-secret/rotate', request);
  expect(second.body).toMatchObject({ data: { ...data, secret: null } });
  const found = await live.ask('/api/user/webhook-secret');
  expect(found.body).toEqual({
    prefix: data.prefix,
    old_prefix: data.old_prefix,
    old_valid_until: expect.any(String) as string,
  });
});
