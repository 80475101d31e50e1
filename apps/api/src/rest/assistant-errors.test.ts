import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statement } from '@parley/db';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { assistantRequests, type AssistantRequests } from '../../test/assistant-requests.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

/** The errors that the API reference lists for assistants, and idempotent creation (docs/api.md, "Errors, in general"). */
const database = useTestDatabase();
let live: LiveApi;
let ask: AssistantRequests;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  ask = assistantRequests(live);
});

afterAll(() => live.stop());

const HOOK = 'https://owner.example/hook';
const NOT_FOUND = { message: 'Assistant not found' };
const SWITCHES = ['disable-webhook', 'disable-inbound-webhook', 'enable-webhook', 'enable-inbound-webhook'];

describe('the table of errors', () => {
  const REQUIRED_URL = 'The webhook url field is required when is webhook active is true.';

  test.each<[string, Record<string, unknown>, Record<string, string[]>]>([
    [
      'a missing required field',
      { assistant_name: undefined },
      { assistant_name: ['The assistant name field is required.'] },
    ],
    ['is_webhook_active without an address', { is_webhook_active: true }, { webhook_url: [REQUIRED_URL] }],
  ])('create: %s is 422', async (_what, changes, errors) => {
    const { status, body } = await ask.post('assistant', newAssistant(changes));
    expect(status).toBe(422);
    expect(body).toEqual({ message: 'Validation failed', errors });
  });

  test.each<[string, Record<string, unknown>, Record<string, string[]>]>([
    [
      'speech_speed outside 0.7 to 1.2',
      { speech_speed: 1.3 },
      { speech_speed: ['The speech speed must be between 0.7 and 1.2.'] },
    ],
    [
      'an invalid webhook_url',
      { webhook_url: 'no' },
      { webhook_url: ['The webhook url must be a valid URL.'] },
    ],
    ['is_webhook_active without any address', { is_webhook_active: true }, { webhook_url: [REQUIRED_URL] }],
    [
      'is_webhook_active while the address is removed',
      { is_webhook_active: true, webhook_url: null },
      { webhook_url: [REQUIRED_URL] },
    ],
  ])('update: %s is 422', async (_what, changes, errors) => {
    const { status, body } = await ask.put(await ask.make(), changes);
    expect(status).toBe(422);
    expect(body).toEqual({ message: 'Validation failed', errors });
  });

  test.each(['999999', 'last', '1.5', '-1', '99999999999999999999'])(
    'reading, updating and deleting %s is 404',
    async (id) => {
      for (const answer of [
        await live.ask(`/api/user/assistant/${id}`),
        await ask.put(id, {}),
        await ask.remove(id),
      ]) {
        expect([answer.status, answer.body]).toEqual([404, NOT_FOUND]);
      }
    },
  );

  test("another user's assistant is 404 for every operation, and unchanged", async () => {
    const id = await ask.make({ is_webhook_active: true, webhook_url: HOOK, inbound_webhook_url: HOOK });
    const before = (await ask.read(id)).body;
    const { token } = await live.addUser('Stranger');
    expect((await ask.put(id, { name: 'Mine' }, token)).body).toEqual(NOT_FOUND);
    expect((await ask.remove(id, token)).body).toEqual(NOT_FOUND);
    for (const operation of SWITCHES) {
      const body = { assistant_id: id, webhook_url: 'https://stranger.example' };
      const answer = await live.ask(`/api/user/assistants/${operation}`, { method: 'POST', body, token });
      expect([answer.status, answer.body], operation).toEqual([404, NOT_FOUND]);
    }
    expect((await ask.read(id)).body).toEqual(before);
  });

  test("internal failures have the endpoint's own text, and change nothing", async () => {
    const id = await ask.make();
    const before = (await ask.read(id)).body;
    await whileWritesFail('assistants', async () => {
      const answers = [
        await ask.post('assistant', newAssistant()),
        await ask.put(id, { name: 'x' }),
        await ask.remove(id),
      ];
      expect(answers.map(({ status, body }) => [status, body])).toEqual([
        [500, { message: 'Assistant creation failed' }],
        [500, { message: 'Assistant update failed' }],
        [500, { message: 'Assistant deletion failed' }],
      ]);
    });
    expect((await ask.read(id)).body).toEqual(before);
  });
});

describe('an Idempotency-Key', () => {
  test('creates one assistant for two requests and returns the same response', async () => {
    const headers = { 'idempotency-key': 'one-assistant' };
    const first = await ask.post('assistant', newAssistant({ assistant_name: 'Once' }), headers);
    const second = await ask.post('assistant', newAssistant({ assistant_name: 'Once' }), headers);
    expect(first.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(await countNamed('Once')).toBe(1);
  });

  test('is committed with the assistant or not at all', async () => {
    const headers = { 'idempotency-key': 'half-written' };
    const body = newAssistant({ assistant_name: 'Half' });
    await whileWritesFail('idempotency_keys', async () => {
      expect((await ask.post('assistant', body, headers)).status).toBe(500);
    });
    expect(await countNamed('Half')).toBe(0);
    expect((await ask.post('assistant', body, headers)).status).toBe(201);
    expect(await countNamed('Half')).toBe(1);
  });

  test('of a refused request may be used again', async () => {
    const headers = { 'idempotency-key': 'refused-first' };
    expect((await ask.post('assistant', newAssistant({ voice_id: 999 }), headers)).status).toBe(422);
    expect((await ask.post('assistant', newAssistant(), headers)).status).toBe(201);
  });
});

const countByName = statement<{ count: number }>(
  '',
  'select count(*) as count from assistants where name = $1',
);

async function countNamed(name: string): Promise<number | undefined> {
  return (await database.db.query(countByName, [name]))[0]?.count;
}

/** Makes every write to one table fail. */
async function whileWritesFail(table: string, work: () => Promise<void>): Promise<void> {
  const run = (sql: string) => database.db.query(statement('', sql));
  await run(
    `create or replace function test_fail() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$`,
  );
  await run(
    `create trigger test_fail before insert or update on ${table} for each row execute function test_fail()`,
  );
  try {
    await work();
  } finally {
    await run(`drop trigger test_fail on ${table}`);
  }
}
