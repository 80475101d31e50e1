import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callStatuses, callTypes } from '@parley/contracts';
import { statement } from '@parley/db';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

/** Every filter of `GET /api/user/calls` (docs/api.md, "Calls"). */
const database = useTestDatabase();
let live: LiveApi;
/** Ids of calls by descriptive names. */
const calls: Record<string, number> = {};
let anna = 0;
let bert = 0;

const place = statement<{ id: number }>(
  '',
  `insert into calls (id, created_at, user_id, assistant_id, assistant_name, campaign_id, campaign_name, type, status,
     assistant_phone_number, client_phone_number, configuration, changed_at, updated_at)
   select nextval('call_ids'), $1, u.id, $2, 'Anna', $3, case when $3::bigint is not null then 'Autumn' end, $4, $5, '+12025550100', $6, '{}', $1, $1
   from users u where u.email = 'first@parley.example' returning id`,
);

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  const moveToBerlin = statement('', `update users set timezone = 'Europe/Berlin' where email = $1`);
  await database.db.query(moveToBerlin, [live.email]);
  const makeAssistant = async (): Promise<number> => {
    const answer = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant() });
    return (answer.body as { data: { id: number } }).data.id;
  };
  [anna, bert] = [await makeAssistant(), await makeAssistant()];
  const rows: [string, string, number, number | null, string, string, string][] = [
    // name, created at, assistant, campaign, type, status, client's number
    ['monday', '2026-03-02T12:00:00Z', anna, null, 'outbound', 'completed', '+12025550111'],
    ['lateMonday', '2026-03-02T22:59:59Z', anna, 7, 'outbound', 'busy', '+12025550112'],
    ['tuesdayInBerlin', '2026-03-02T23:00:00Z', bert, 7, 'inbound', 'failed', '+4915123456789'],
    ['web', '2026-03-03T12:00:00Z', bert, null, 'web', 'ended_by_customer', ''],
  ];
  for (const [name, at, assistantId, campaignId, type, status, number] of rows) {
    const values = [new Date(at), assistantId, campaignId, type, status, number];
    calls[name] = (await database.db.query(place, values))[0]?.id ?? 0;
  }
});

afterAll(() => live.stop());

const ask = (query: string) => live.ask(`/api/user/calls?${query}`);
const all = ['web', 'tuesdayInBerlin', 'lateMonday', 'monday'];

test('a combination of filters returns the intersection of their results', async () => {
  const filters = [
    'status=busy',
    'type=outbound',
    'outcome=busy',
    'phone_number=%2B12025550112',
    `assistant_id=${anna}`,
    'campaign_id=7',
    'date_from=2026-03-02',
    'date_to=2026-03-02',
  ];
  const idsOf = async (query: string): Promise<number[]> => {
    const answer = await ask(query);
    expect(answer.status, query).toBe(200);
    const { data, total } = answer.body as { data: { id: number }[]; total: number };
    expect(total, query).toBe(data.length);
    return data.map(({ id }) => id);
  };
  const everything = await idsOf('');
  const alone = await Promise.all(filters.map(idsOf));
  for (let combination = 0; combination < 2 ** filters.length; combination++) {
    const isIn = (_: unknown, place: number): boolean => (combination & (1 << place)) !== 0;
    const lists = alone.filter(isIn);
    const expected = everything.filter((id) => lists.every((list) => list.includes(id)));
    const query = filters.filter(isIn).join('&');
    expect(await idsOf(query), query).toEqual(expected);
  }
});

describe('each parameter', () => {
  test.each<[string, () => string, string[]]>([
    ['nothing: newest first', () => '', all],
    ['status', () => 'status=busy', ['lateMonday']],
    ['status that no call has', () => 'status=no-answer', []],
    ['type', () => 'type=inbound', ['tuesdayInBerlin']],
    ['type web', () => 'type=web', ['web']],
    ['outcome', () => 'outcome=unreachable', ['tuesdayInBerlin']],
    ['phone_number', () => 'phone_number=%2B12025550111', ['monday']],
    ['phone_number with a bare plus', () => 'phone_number=+12025550111', ['monday']],
    ['a formatted phone_number', () => 'phone_number=%2B49%20151%2023456789', ['tuesdayInBerlin']],
    ['an unused phone_number', () => 'phone_number=%2B12025550119', []],
    ['assistant_id', () => `assistant_id=${bert}`, ['web', 'tuesdayInBerlin']],
    ['campaign_id', () => 'campaign_id=7', ['tuesdayInBerlin', 'lateMonday']],
    ['date_from, inclusive, in Berlin', () => 'date_from=2026-03-03', ['web', 'tuesdayInBerlin']],
    ['date_to, inclusive, in Berlin', () => 'date_to=2026-03-02', ['lateMonday', 'monday']],
    ['one day', () => 'date_from=2026-03-02&date_to=2026-03-02', ['lateMonday', 'monday']],
    ['a range backwards', () => 'date_from=2026-03-03&date_to=2026-03-02', []],
    ['the first and the last day there are', () => 'date_from=0001-01-01&date_to=9999-12-31', all],
    ['several together', () => `assistant_id=${anna}&campaign_id=7&type=outbound`, ['lateMonday']],
    [
      'empty values',
      () => 'status=&type=&phone_number=&assistant_id=&campaign_id=&date_from=&date_to=&page=&per_page=',
      all,
    ],
    ['unknown parameters', () => 'colour=red&client=x', all],
    ['per_page and page', () => 'per_page=1&page=2', ['tuesdayInBerlin']],
    ['a page past the end', () => 'page=9', []],
  ])('%s', async (_name, query, expected) => {
    const answer = await ask(query());
    expect(answer.status, answer.text).toBe(200);
    const { data } = answer.body as { data: { id: number }[] };
    expect(data.map(({ id }) => id)).toEqual(expected.map((name) => calls[name]));
  });

  test.each([
    ...callStatuses.map((status) => `status=${status}`),
    ...callTypes.map((type) => `type=${type}`),
  ])('%s is known', async (query) => expect((await ask(query)).status).toBe(200));

  test('the default is a page of fifteen', async () => {
    expect((await ask('')).body).toMatchObject({ current_page: 1, per_page: 15, from: 1, to: 4, total: 4 });
  });
});

test.each([
  ['status=happy', 'status', 'The selected status is invalid.'],
  ['type=fax', 'type', 'The selected type is invalid.'],
  ['assistant_id=x', 'assistant_id', 'The assistant id must be an integer.'],
  ['assistant_id=1.5', 'assistant_id', 'The assistant id must be an integer.'],
  ['campaign_id=x', 'campaign_id', 'The campaign id must be an integer.'],
  ['date_from=yesterday', 'date_from', 'The date from format is invalid.'],
  ['date_from=2026-02-30', 'date_from', 'The date from format is invalid.'],
  ['date_from=0000-01-01', 'date_from', 'The date from format is invalid.'],
  ['date_to=2026-3-1', 'date_to', 'The date to format is invalid.'],
  ['date_to=2026-03-01T00:00:00Z', 'date_to', 'The date to format is invalid.'],
  ['per_page=0', 'per_page', 'The per page must be between 1 and 100.'],
  ['per_page=101', 'per_page', 'The per page must be between 1 and 100.'],
  ['per_page=many', 'per_page', 'The per page must be an integer.'],
  ['page=0', 'page', 'The page must be at least 1.'],
  ['page=-1', 'page', 'The page must be at least 1.'],
])('%s is refused', async (query, field, text) => {
  const answer = await ask(query);
  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({ message: 'The given data was invalid.', errors: { [field]: [text] } });
});

test('a record carries exactly the fields of the specification, times in the zone of the user', async () => {
  const answer = await ask('campaign_id=7&type=inbound');
  expect((answer.body as { data: unknown[] }).data).toEqual([
    {
      id: calls['tuesdayInBerlin'],
      assistant_name: 'Anna',
      campaign_name: 'Autumn',
      type: 'inbound',
      duration: 0,
      assistant_phone_number: '+12025550100',
      client_phone_number: '+4915123456789',
      status: 'failed',
      transcript: '',
      variables: {},
      evaluation: {},
      webhook_response: {},
      carrier_cost: 0,
      total_cost: 0,
      answered_by: 'unknown',
      created_at: '2026-03-03 00:00:00',
      updated_at: '2026-03-03 00:00:00',
    },
  ]);
});
