import { statement } from '@parley/db';
import { ManualClock } from '@parley/runtime';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../test/live-api.ts';
import { toHttpError } from './http-errors.ts';
import { answerOnce } from './idempotency.ts';

const database = useTestDatabase();
const clock = new ManualClock();
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db, core: { clock } });
});

afterAll(() => live.stop());

const countCalls = statement<{ count: number }>(
  '',
  'select count(*) as count from calls where client_phone_number = $1',
);

async function callsTo(number: string): Promise<number> {
  const [row] = await database.db.query(countCalls, [number]);
  return row?.count ?? 0;
}

function place(number: string, key: string, variables: Record<string, unknown> = {}) {
  return live.ask('/api/user/make_call', {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: { phone_number: number, assistant_id: 1, variables },
  });
}

test('the same request with the same key places one call, and both answers are identical', async () => {
  const first = await place('+12025550171', 'same');
  const second = await place('+12025550171', 'same');
  expect(first.status).toBe(200);
  expect(second.text).toBe(first.text);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await callsTo('+12025550171')).toBe(1);
});

test('the same key with another body is refused and places no call', async () => {
  await place('+12025550172', 'other');
  const answer = await place('+12025550172', 'other', { changed: true });
  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({ message: 'This Idempotency-Key was used for a different request.' });
  expect(await callsTo('+12025550172')).toBe(1);
});

test('of many concurrent requests one places a call; the others get its answer or 409', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => place('+12025550173', 'race')));
  const statuses = new Set(answers.map((answer) => answer.status));
  expect(statuses.has(200)).toBe(true);
  expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect(new Set(answers.filter((answer) => answer.status === 200).map((answer) => answer.text)).size).toBe(
    1,
  );
  expect(await callsTo('+12025550173')).toBe(1);
});

test('a request with the key of a running one is 409', async () => {
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const request = { tokenId: 1, key: 'slow', content: 'x' };
  const first = answerOnce(live.core, request, async () => {
    entered.resolve();
    await release.promise;
    return { status: 200, body: '{}' };
  });
  await entered.promise;
  await expect(answerOnce(live.core, request, async () => ({ status: 200, body: '{}' }))).rejects.toSatisfy(
    (error) => {
      expect(toHttpError(error)).toMatchObject({ status: 409, headers: { 'Retry-After': '1' } });
      return true;
    },
  );
  release.resolve();
  await expect(first).resolves.toEqual({ status: 200, body: '{}' });
});

test('a failed request is not stored: the same key may be retried', async () => {
  const failed = await place('123', 'again');
  expect(failed.status).toBe(422);
  expect((await place('+12025550174', 'again')).status).toBe(200);
});

test('a call and its key are committed together or not at all', async () => {
  const request = { tokenId: 1, key: 'crash', content: 'x' };
  const insert = statement('', `insert into languages (name, iso_2) values ('Test', 'zz')`);
  const crash = answerOnce(live.core, request, async (core) => {
    await core.db.transaction((tx) => tx.query(insert));
    throw new Error('the process died here');
  });
  await expect(crash).rejects.toThrow('the process died here');
  const left = statement<{ name: string }>('', `select name from languages where iso_2 = 'zz'`);
  expect(await database.db.query(left)).toEqual([]);
});

test('keys are separate per token', async () => {
  const { token } = await live.addUser('Other');
  const body = newAssistant();
  const headers = { 'idempotency-key': 'shared' };
  const mine = await live.ask('/api/user/assistant', { method: 'POST', headers, body });
  const again = await live.ask('/api/user/assistant', { method: 'POST', headers, body });
  const theirs = await live.ask('/api/user/assistant', { method: 'POST', headers, body, token });
  expect(mine.status).toBe(201);
  expect(again.text).toBe(mine.text);
  expect(again.status).toBe(201);
  expect(theirs.text).not.toBe(mine.text);
});

test('a key is forgotten after a day', async () => {
  const body = newAssistant();
  const headers = { 'idempotency-key': 'daily' };
  const first = await live.ask('/api/user/assistant', { method: 'POST', headers, body });
  clock.advance(24 * 3600 * 1000 - 1);
  expect((await live.ask('/api/user/assistant', { method: 'POST', headers, body })).text).toBe(first.text);
  clock.advance(1);
  expect((await live.ask('/api/user/assistant', { method: 'POST', headers, body })).text).not.toBe(
    first.text,
  );
});

test('a key has at most 255 characters', async () => {
  const answer = await place('+12025550175', 'k'.repeat(256));
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ errors: { 'Idempotency-Key': [expect.any(String)] } });
});

async function newCampaign(name: string): Promise<number> {
  const { body } = await live.ask('/api/user/campaigns', { method: 'POST', body: { name, assistant_id: 1 } });
  return (body as { data: { id: number } }).data.id;
}

test('a repeated DELETE gets the first answer instead of 404', async () => {
  const id = await newCampaign('Deleted');
  const request = { method: 'DELETE', headers: { 'idempotency-key': 'delete' } };
  const first = await live.ask(`/api/user/campaigns/${id}`, request);
  const second = await live.ask(`/api/user/campaigns/${id}`, request);
  expect(first.status).toBe(200);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
});

test('a repeated PUT does not undo a later change', async () => {
  const id = await newCampaign('Before');
  const rename = (name: string, key: string) =>
    live.ask(`/api/user/campaigns/${id}`, {
      method: 'PUT',
      headers: { 'idempotency-key': key },
      body: { name },
    });
  await rename('First', 'put 1');
  await rename('Second', 'put 2');
  expect((await rename('First', 'put 1')).headers.get('idempotent-replayed')).toBe('true');
  expect((await rename('Third', 'put 1')).headers.get('x-error-code')).toBe('idempotency_key_reused');
  const { body } = await live.ask(`/api/user/campaigns/${id}`);
  expect(body).toMatchObject({ name: 'Second' });
});

test('a repeated start does not restart a campaign that was stopped since', async () => {
  const id = await newCampaign('Started');
  const change = (action: string, key: string) =>
    live.ask('/api/user/campaigns/update-status', {
      method: 'POST',
      headers: { 'idempotency-key': key },
      body: { campaign_id: id, action },
    });
  const started = await change('start', 'start');
  await change('stop', 'stop');
  expect((await change('start', 'start')).text).toBe(started.text);
  const { body } = await live.ask(`/api/user/campaigns/${id}`);
  expect(body).toMatchObject({ status: 'stopped' });
});

test('an error of a write in several transactions is not stored', async () => {
  const id = await newCampaign('Invalid first');
  const put = (body: object) =>
    live.ask(`/api/user/campaigns/${id}`, {
      method: 'PUT',
      headers: { 'idempotency-key': 'put again' },
      body,
    });
  expect((await put({ name: 5, max_retries: 99 })).status).toBe(422);
  expect((await put({ name: 'Valid' })).status).toBe(200);
});
