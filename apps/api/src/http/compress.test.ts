import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});

afterAll(() => live.stop());

const encodingOf = async (path: string, accepted = 'gzip', method = 'GET') => {
  const answer = await live.ask(path, { method, headers: { 'accept-encoding': accepted } });
  expect(answer.status).toBe(200);
  return answer.headers.get('content-encoding');
};

test.each(['gzip', 'br', 'deflate'])('a long answer is compressed with %s', async (encoding) => {
  expect(await encodingOf('/api/user/assistants', encoding)).toBe(encoding);
});

test('the content is the same', async () => {
  const path = '/api/user/assistants';
  const plain = await live.ask(path, { headers: { 'accept-encoding': 'identity' } });
  const packed = await live.ask(path, { headers: { 'accept-encoding': 'gzip' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(packed.text).toBe(plain.text);
});

test('short answers, streamed lists and clients without compression get plain answers', async () => {
  expect(await encodingOf('/api/user/me')).toBeNull();
  expect(await encodingOf('/api/user/assistants', 'identity')).toBeNull();
  const post = (path: string, body: object) => live.ask(path, { method: 'POST', body });
  const { body } = await post('/api/user/campaigns', { name: 'Long', assistant_id: 1 });
  const { id } = (body as { data: { id: number } }).data;
  const variables = { note: 'x'.repeat(10_000) };
  await post('/api/user/lead', { campaign_id: id, phone_number: '+12025550199', variables });
  expect(await encodingOf('/api/user/leads')).toBeNull();
  expect(await encodingOf('/api/user/leads?page=1')).toBe('gzip');
});
