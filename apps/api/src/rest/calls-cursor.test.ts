import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { newAssistant } from '@parley/testkit';

const database = useTestDatabase();
let live: LiveApi;
const made: number[] = [];

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  const { body } = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant() });
  const { data } = body as { data: { id: number } };
  for (let count = 0; count < 5; count++) {
    const call = { phone_number: `+1202555011${count}`, assistant_id: data.id };
    const placed = await live.ask('/api/user/make_call', { method: 'POST', body: call });
    made.unshift((placed.body as { call_id: number }).call_id);
  }
});
afterAll(() => live.stop());

interface Answer {
  data: { id: number }[];
  next_cursor: string | null;
}

async function read(query: string): Promise<Answer> {
  const { status, body } = await live.ask(`/api/user/calls?${query}`);
  expect(status).toBe(200);
  return body as Answer;
}

test('cursors lead through the list, and the answer has nothing else', async () => {
  const first = await read('cursor=&per_page=3');
  expect(Object.keys(first)).toEqual(['data', 'per_page', 'next_cursor']);
  expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 3));
  const last = await read(`per_page=3&cursor=${first.next_cursor}`);
  expect(last.data.map(({ id }) => id)).toEqual(made.slice(3));
  expect(last.next_cursor).toBeNull();
});

test('filters apply, and a page number does not', async () => {
  const { data, next_cursor: next } = await read('cursor=&page=7&phone_number=%2B12025550112');
  expect(data.map(({ id }) => id)).toEqual([made[2]]);
  expect(next).toBeNull();
});

test('without a cursor the answer is the envelope', async () => {
  expect(await read('per_page=3')).toMatchObject({ current_page: 1, total: 5, last_page: 2 });
});

test.each([
  'x',
  'bnVsbA',
  btoa('[1]'),
  btoa('[1.5,2]'),
  btoa('[-1,2]'),
  btoa('[1,"2"]'),
  '%00',
  'a'.repeat(201),
])('the cursor %s is refused', async (cursor) => {
  const { status, body } = await live.ask(`/api/user/calls?cursor=${cursor}`);
  expect(status).toBe(422);
  expect(Object.keys((body as { errors: object }).errors)).toEqual(['cursor']);
});
