import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statement } from '@parley/db';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

/** The lookup lists: bare arrays whose records have exactly the fields of the API reference (docs/api.md, "Other"). */
const database = useTestDatabase();
let live: LiveApi;
let stranger: { userId: number; token: string };

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  stranger = await live.addUser('Stranger');
});

afterAll(() => live.stop());

type Item = Record<string, unknown> & { id: number };

async function list(path: string, token = live.token): Promise<Item[]> {
  const { status, body, text } = await live.ask(`/api/user/assistants/${path}`, { token });
  expect(status, text).toBe(200);
  return body as Item[];
}

const insertNumber = statement<{ id: number }>(
  '',
  `insert into phone_numbers (user_id, trunk_id, phone_number, country_code, type_label, created_at)
   select $1, id, $2, 'US', $3, now() from trunks order by id limit 1 returning id`,
);
const firstUser = statement<{ id: number }>('', 'select min(id) as id from users');
const insertVoice = statement<{ id: number }>(
  '',
  `insert into voices (name, mode, provider_id, user_id, wire_name)
   select $1, 'pipeline', id, $2, 'x' from providers order by id limit 1 returning id`,
);

async function addNumber(phoneNumber: string, label: string, userId?: number): Promise<number> {
  const owner = userId ?? (await database.db.query(firstUser))[0]?.id ?? 0;
  return (await database.db.query(insertNumber, [owner, phoneNumber, label]))[0]?.id ?? 0;
}

test.each([
  ['voices', ['id', 'mode', 'name']],
  ['models', ['id', 'name']],
  ['languages', ['id', 'iso_2', 'name']],
  ['phone-numbers', ['country_code', 'id', 'is_available', 'phone_number', 'type_label']],
  ['synthesizer-providers', ['id', 'name']],
])('%s is a list of records with exactly %j', async (path, fields) => {
  const items = await list(path);
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) expect(Object.keys(item).toSorted()).toEqual(fields);
});

test('names are unique: of voices, models and languages', async () => {
  for (const path of ['voices', 'models', 'languages']) {
    const names = (await list(path)).map((item) => item['name']);
    expect(new Set(names).size).toBe(names.length);
  }
});

describe('voices', () => {
  test.each([
    ['voices', true],
    ['voices?mode=pipeline', true],
    ['voices?mode=', true],
    ['voices?mode=pipeline&language_id=1&unknown=x', true],
    ['voices?mode=multimodal', false],
  ])('%s', async (path, hasPipeline) => {
    const modes = (await list(path)).map((voice) => voice['mode']);
    expect(modes.includes('pipeline')).toBe(hasPipeline);
  });

  test('of another user are neither listed nor accepted', async () => {
    const [voice] = await database.db.query(insertVoice, ["Stranger's own", stranger.userId]);
    const isOwn = (item: Item) => item.id === voice?.id;
    expect((await list('voices')).some(isOwn)).toBe(false);
    expect((await list('voices', stranger.token)).some(isOwn)).toBe(true);
    const body = newAssistant({ voice_id: voice?.id });
    const taken = await live.ask('/api/user/assistant', { method: 'POST', body, token: stranger.token });
    expect(taken.status).toBe(201);
    const refused = await live.ask('/api/user/assistant', { method: 'POST', body });
    expect(refused.body).toMatchObject({ errors: { voice_id: ['The selected voice id is invalid.'] } });
  });
});

describe('phone numbers', () => {
  test('with type=inbound neither caller IDs nor assigned ones are listed', async () => {
    const free = await addNumber('+12025550180', 'Normal');
    const sip = await addNumber('+12025550181', 'SIP');
    const callerId = await addNumber('+12025550182', 'Caller ID');
    const ringing = await addNumber('+12025550183', 'Normal');
    const shown = await addNumber('+12025550184', 'Normal');
    const inbound = newAssistant({ calls_direction: 'receive', phone_number_id: ringing });
    const outbound = newAssistant({ phone_number_id: shown });
    for (const body of [inbound, outbound]) await live.ask('/api/user/assistant', { method: 'POST', body });

    const own = [free, sip, callerId, ringing, shown];
    const idsOf = async (path: string) =>
      (await list(path)).map((number) => number.id).filter((id) => own.includes(id));
    expect(await idsOf('phone-numbers?type=inbound')).toEqual([free, sip]);
    for (const query of ['', '?type=', '?type=outbound', '?type=outbound&page=2']) {
      expect(await idsOf(`phone-numbers${query}`)).toEqual(own);
    }
    const available = (await list('phone-numbers')).filter((number) => number['is_available']);
    // The caller number of an outbound assistant may also be assigned to an inbound one.
    expect(available.map((number) => number.id).filter((id) => own.includes(id))).toEqual([free, sip, shown]);
  });

  test('are free again once their assistant is deleted', async () => {
    const number = await addNumber('+12025550185', 'Normal');
    const body = newAssistant({ calls_direction: 'receive', phone_number_id: number });
    const made = await live.ask('/api/user/assistant', { method: 'POST', body });
    const { id } = (made.body as { data: { id: number } }).data;
    const isListed = async () => (await list('phone-numbers?type=inbound')).some((one) => one.id === number);
    expect(await isListed()).toBe(false);
    await live.ask(`/api/user/assistant/${id}`, { method: 'DELETE' });
    expect(await isListed()).toBe(true);
  });

  test('of another user are neither listed nor accepted', async () => {
    const foreign = await addNumber('+12025550186', 'Normal', stranger.userId);
    expect((await list('phone-numbers')).map((number) => number.id)).not.toContain(foreign);
    const body = newAssistant({ phone_number_id: foreign });
    const refused = await live.ask('/api/user/assistant', { method: 'POST', body });
    expect(refused.body).toMatchObject({
      errors: { phone_number_id: ['The selected phone number id is invalid.'] },
    });
  });
});

test('providers of speech synthesis and of speech recognition are listed separately', async () => {
  const addProvider = statement<{ id: number }>(
    '',
    `insert into providers (name, kind, base_url, created_at)
     values ('Own server', 'openai-compatible', 'http://127.0.0.1:1/v1', now()),
       ('Model maker', 'anthropic', 'http://127.0.0.1:1', now()) returning id`,
  );
  const [provider] = await database.db.query(addProvider);
  const own = { id: provider?.id, name: 'Own server' };
  expect(await list('synthesizer-providers')).toEqual([{ id: 1, name: 'Built in' }]);
  expect(await list('transcriber-providers')).toEqual([own]);
});

test.each([
  ['voices?mode=loud', 'mode', 'The selected mode is invalid.'],
  ['phone-numbers?type=sideways', 'type', 'The selected type is invalid.'],
])('%s is refused', async (path, field, text) => {
  const { status, body } = await live.ask(`/api/user/assistants/${path}`);
  expect(status).toBe(422);
  expect(body).toEqual({ message: 'The given data was invalid.', errors: { [field]: [text] } });
});
