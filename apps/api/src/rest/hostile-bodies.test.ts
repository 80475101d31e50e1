import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});

afterAll(() => live.stop());

const create = (body: unknown) => live.ask('/api/user/assistant', { method: 'POST', body });

test.each<[string, unknown]>([
  ['null', 'null'],
  ['a number', '5'],
  ['a text', '"text"'],
  ['an empty list', '[]'],
  ['a list of objects', '[{"assistant_name":"x"}]'],
])('%s as a whole body says that everything is missing', async (_name, body) => {
  const answer = await create(body);
  expect(answer.status).toBe(422);
  expect(Object.keys((answer.body as { errors: object }).errors)).toContain('assistant_name');
});

test.each<[string, Record<string, unknown>, string]>([
  ['a NUL byte in a text', { assistant_name: 'a\0b' }, 'assistant_name'],
  ['half a surrogate pair', { system_prompt: 'a\ud800b' }, 'system_prompt'],
  ['a NUL byte deep inside variables', { variables: { a: [{ b: 'x\0' }] } }, 'variables.a.0.b'],
  ['a NUL byte in a key', { variables: { 'a\0': 1 } }, 'variables'],
])('%s is refused at its field', async (_name, changes, field) => {
  const answer = await create(newAssistant(changes));
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({
    message: 'Validation failed',
    errors: { [field]: [expect.stringMatching(/format is invalid\.$/)] },
  });
});

test('a NUL byte in a query is refused too', async () => {
  const answer = await live.ask('/api/user/calls?phone_number=%00');
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ errors: { phone_number: ['The phone number format is invalid.'] } });
});

test.each(['/api/user/calls', '/api/user/me'])(
  '%s ignores an unknown parameter with a NUL byte',
  async (path) => {
    expect((await live.ask(`${path}?unknown=%00&%00=1`)).status).toBe(200);
  },
);

test('a body nested forty thousand deep is refused and the api keeps running', async () => {
  const deep = '['.repeat(40_000) + ']'.repeat(40_000);
  const answer = await create(`{"variables":{"a":${deep}}}`);
  expect(answer.status).toBe(422);
  expect((await live.ask('/api/user/me')).status).toBe(200);
});

test('keys such as __proto__ are stored and read as plain data', async () => {
  const body = JSON.stringify(newAssistant()).replace(
    '{',
    '{"variables":{"__proto__":{"a":1},"constructor":2},',
  );
  const created = await create(body);
  expect(created.status).toBe(201);
  const { id } = (created.body as { data: { id: number } }).data;
  const read = await live.ask(`/api/user/assistant/${id}`);
  expect(read.text).toContain('"variables":{"__proto__":{"a":1},"constructor":2}');
});

test('a query parameter given twice or as a list is a fault, not a crash', async () => {
  expect((await live.ask('/api/user/calls?page=1&page=2')).status).toBe(422);
  expect((await live.ask('/api/user/calls?page[]=1&page[a]=2')).status).toBe(200);
});

test.each<[string, string, number]>([
  ['/api/user/assistant', '50,000', 50_000],
  ['/api/user/campaigns/0/leads', '550,000', 550_000],
  ['/api/user/knowledgebases/0/documents', '1,000', 1000],
  ['/api/user/suites', '1,000', 1000],
])('a body for %s has at most %s values', async (path, most, count) => {
  const ask = (body: string) => live.ask(path, { method: 'POST', body });
  const refused = { message: `The request body must not have more than ${most} values.` };
  expect(await ask(`{"a":[${'0,'.repeat(count - 1)}0]}`)).toMatchObject({ status: 413, body: refused });
  expect((await ask(`{"a":[${'0,'.repeat(count - 3)}0]}`)).status).not.toBe(413);
});

test('numbers beyond what can be exact are refused', async () => {
  const answer = await create(newAssistant({ voice_id: '9007199254740993' }));
  expect(answer.body).toMatchObject({ errors: { voice_id: ['The voice id must be an integer.'] } });
  expect((await live.ask('/api/user/calls?page=9007199254740991')).status).toBe(200);
});

test('text in any script is returned unchanged', async () => {
  const name = 'Ünïcødé 😀 עברית 日本語 ﷽';
  const created = await create(newAssistant({ assistant_name: name, variables: { [name]: name } }));
  const { id } = (created.body as { data: { id: number } }).data;
  expect((await live.ask(`/api/user/assistant/${id}`)).body).toMatchObject({
    name,
    variables: { [name]: name },
  });
});
