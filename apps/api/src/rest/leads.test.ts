import { leadRecord, secondaryContactRecord } from '@parley/contracts';
import { useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLiveApi, type LiveApi, type TestRequest } from '../../test/live-api.ts';
import { makeCampaign, makeLead, makeOutreach, type Outreach } from '../../test/outreach.ts';

/** Every statement of docs/api.md, "Leads", and the fields that the API reference lists for a lead. */
const database = useTestDatabase();
let live: LiveApi;
let own: Outreach;
/** A campaign, lead and assistant of another user. */
let foreign: Outreach;
let stranger: string;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  own = await makeOutreach(live);
  ({ token: stranger } = await live.addUser('Stranger'));
  foreign = await makeOutreach(live, stranger);
});

afterAll(() => live.stop());

const CREATE = '/api/user/lead';
const LIST = '/api/user/leads';
const MISSING_ID = 999_999;

const send = (method: string, path: string, body?: unknown, more: TestRequest = {}) =>
  live.ask(path, { method, ...(body === undefined ? {} : { body }), ...more });
const create = (body: Record<string, unknown>) =>
  send('POST', CREATE, { campaign_id: own.campaignId, phone_number: freshNumber(), ...body });

let numbers = 0;
function freshNumber(): string {
  numbers += 1;
  return `+1303${5_550_000 + numbers}`;
}

const failed = (errors: Record<string, string[]>) => ({ message: 'Validation failed', errors });

describe('POST /api/user/lead', () => {
  test('answers 200 with the record, its campaign and its contacts', async () => {
    const answer = await create({
      phone_number: '+49 (151) 234 567 89',
      variables: { customer_name: 'Ada', email: 'ada@example.org' },
      secondary_contacts: [{ phone_number: '+1 303 555 9999', variables: { customer_name: 'Bo' } }],
    });
    expect(answer.status).toBe(200);
    const { message, data } = answer.body as { message: string; data: unknown };
    expect(message).toBe('Lead created successfully');
    expect(leadRecord.parse(data)).toMatchObject({
      campaign_id: own.campaignId,
      phone_number: '+4915123456789',
      variables: { customer_name: 'Ada', email: 'ada@example.org' },
      status: 'created',
      campaign: { id: own.campaignId, name: 'Spring' },
      secondary_contacts: [
        { phone_number: '+13035559999', variables: { customer_name: 'Bo' }, status: 'created' },
      ],
    });
  });

  const PHONE = ['Invalid phone number'];
  test.each<[string, Record<string, unknown>, Record<string, string[]>]>([
    [
      'phone_number: required',
      { phone_number: undefined },
      { phone_number: ['The phone number field is required.'] },
    ],
    ['phone_number: empty', { phone_number: ' ' }, { phone_number: ['The phone number field is required.'] }],
    ['phone_number: string', { phone_number: 1 }, { phone_number: ['The phone number must be a string.'] }],
    ['phone_number: wrong length', { phone_number: '+49123' }, { phone_number: PHONE }],
    ['phone_number: unknown country', { phone_number: '+9991234567' }, { phone_number: PHONE }],
    ['phone_number: no country', { phone_number: '0151 23456789' }, { phone_number: PHONE }],
    ['phone_number: not a number', { phone_number: 'call me' }, { phone_number: PHONE }],
    [
      'campaign_id: required',
      { campaign_id: undefined },
      { campaign_id: ['The campaign id field is required.'] },
    ],
    ['campaign_id: integer', { campaign_id: 'x' }, { campaign_id: ['The campaign id must be an integer.'] }],
    [
      'campaign_id: missing',
      { campaign_id: MISSING_ID },
      { campaign_id: ['The selected campaign id is invalid.'] },
    ],
    ['variables: object', { variables: 'x' }, { variables: ['The variables must be an array.'] }],
    [
      'variables: a list of other values',
      { variables: [1] },
      { variables: ['The variables must be an array.'] },
    ],
    [
      'variables: at most 64 KiB',
      { variables: { a: 'x'.repeat(65_536) } },
      { variables: ['The variables must not be greater than 64 kilobytes.'] },
    ],
    [
      'allow_dupplicate: boolean',
      { allow_dupplicate: 'maybe' },
      { allow_dupplicate: ['The allow dupplicate field must be true or false.'] },
    ],
    [
      'secondary_contacts: array',
      { secondary_contacts: 'x' },
      { secondary_contacts: ['The secondary contacts must be an array.'] },
    ],
    [
      'secondary_contacts: each with a number',
      { secondary_contacts: [{ variables: {} }] },
      { 'secondary_contacts.0.phone_number': ['The secondary_contacts.0.phone_number field is required.'] },
    ],
    [
      'secondary_contacts: each with a possible number',
      { secondary_contacts: [{ phone_number: '+12025550179' }, { phone_number: '1' }] },
      { 'secondary_contacts.1.phone_number': PHONE },
    ],
  ])('%s', async (_row, body, errors) => {
    const answer = await create(body);
    expect(answer.body).toEqual(failed(errors));
    expect(answer.status).toBe(422);
  });

  test("another user's campaign answers like a missing one", async () => {
    const answers = [
      await create({ campaign_id: foreign.campaignId, phone_number: '+13035558888' }),
      await create({ campaign_id: MISSING_ID, phone_number: '+13035558888' }),
    ];
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(answers[0]?.status).toBe(422);
  });

  test.each<[string, unknown, unknown]>([
    ['an object', { a: 1 }, { a: 1 }],
    ['an empty list', [], {}],
    ['a list of objects, merged from left to right', [{ a: 1, b: 1 }, { b: 2 }], { a: 1, b: 2 }],
  ])('variables may be %s', async (_form, variables, expected) => {
    expect((await create({ variables })).body).toMatchObject({ data: { variables: expected } });
  });

  test('of twelve concurrent requests for one number, one succeeds and the others get the error', async () => {
    const phone_number = freshNumber();
    const answers = await Promise.all(Array.from({ length: 12 }, () => create({ phone_number })));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 11 }, () => 422)]);
    const lost = answers.find(({ status }) => status === 422);
    expect(lost?.body).toEqual(failed({ phone_number: ['The phone number has already been taken.'] }));
  });

  test.each(['allow_dupplicate', 'allow_duplicate'])('%s takes a duplicate', async (field) => {
    const phone_number = freshNumber();
    await create({ phone_number });
    expect((await create({ phone_number, [field]: 'true' })).status).toBe(200);
  });

  test('an Idempotency-Key returns the first response again instead of a duplicate', async () => {
    const body = { campaign_id: own.campaignId, phone_number: freshNumber() };
    const headers = { 'idempotency-key': 'lead-once' };
    const first = await send('POST', CREATE, body, { headers });
    const again = await send('POST', CREATE, body, { headers });
    expect([again.status, again.text]).toEqual([200, first.text]);
  });
});

describe('GET /api/user/leads', () => {
  test('is a bare array, newest first; a contact has exactly the six fields', async () => {
    const answer = await live.ask(LIST);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    const leads = leadRecord.array().parse(answer.body);
    expect(leads.map(({ id }) => id)).toEqual(leads.map(({ id }) => id).toSorted((a, b) => b - a));
    const [contact] = leads.find(({ id }) => id === own.leadId)?.secondary_contacts ?? [];
    expect(Object.keys(contact ?? {}).toSorted()).toEqual(
      Object.keys(secondaryContactRecord.shape).toSorted(),
    );
    expect(leads.some(({ id }) => id === contact?.id)).toBe(false);
  });

  test('is empty for a user without leads', async () => {
    const { token } = await live.addUser('Beginner');
    expect((await live.ask(LIST, { token })).text).toBe('[]');
    expect((await live.ask(`${LIST}?page=1`, { token })).body).toMatchObject({
      data: [],
      total: 0,
      from: null,
    });
  });

  test('never contains rows of other users', async () => {
    const { body } = await live.ask(LIST, { token: stranger });
    expect(
      (body as { campaign_id: number }[]).every(({ campaign_id: id }) => id === foreign.campaignId),
    ).toBe(true);
    expect((await live.ask(`${LIST}?campaign_id=${own.campaignId}`, { token: stranger })).text).toBe('[]');
  });

  test.each([
    ['page', '?page=1', 15],
    ['per_page', '?per_page=2', 2],
    ['both', '?page=1&per_page=20', 20],
  ])('with %s it is the envelope', async (_what, query, perPage) => {
    const { body } = await live.ask(LIST + query);
    expect(body).toMatchObject({ current_page: 1, per_page: perPage, path: live.url + LIST });
    leadRecord.array().parse((body as { data: unknown }).data);
  });

  test.each([
    ['campaign_id', (id: number) => `campaign_id=${id}`],
    ['status', () => 'status=created'],
    ['part of a number', () => 'phone_number=5550170'],
    ['a number with an unencoded plus', () => 'phone_number=+1202555'],
    ['date_from', () => 'date_from=2020-01-01'],
    ['date_to', () => 'date_to=2099-12-31'],
    ['all of them empty', () => 'campaign_id=&status=&phone_number=&date_from=&date_to=&page=&per_page='],
  ])('is filtered by %s', async (_what, query) => {
    const { body } = await live.ask(`${LIST}?${query(own.campaignId)}`);
    expect((body as { id: number }[]).map(({ id }) => id)).toContain(own.leadId);
  });

  test.each([
    ['page=0', { page: ['The page must be at least 1.'] }],
    ['per_page=101', { per_page: ['The per page must be between 1 and 100.'] }],
    ['status=happy', { status: ['The selected status is invalid.'] }],
    ['campaign_id=x', { campaign_id: ['The campaign id must be an integer.'] }],
    ['date_from=yesterday', { date_from: ['The date from format is invalid.'] }],
  ])('refuses %s', async (query, errors) => {
    const answer = await live.ask(`${LIST}?${query}`);
    expect([answer.status, answer.body]).toEqual([422, { message: 'The given data was invalid.', errors }]);
  });

  test('HEAD answers without a body', async () => {
    const answer = await live.ask(LIST, { method: 'HEAD' });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  test('a client that disconnects during the answer leaves no open cursor', async () => {
    const stop = new AbortController();
    const response = await fetch(live.url + LIST, {
      headers: { authorization: `Bearer ${live.token}` },
      signal: stop.signal,
    });
    stop.abort();
    await expect(response.text()).rejects.toThrow();
    expect((await live.ask('/api/user/me')).status).toBe(200);
  });
});

describe('PUT /api/leads/{id}', () => {
  let id: number;
  beforeAll(async () => {
    id = await makeLead(live, {
      campaign_id: own.campaignId,
      phone_number: '+12025550181',
      variables: { a: 1 },
    });
  });
  const update = (body: unknown, lead = id) => send('PUT', `/api/leads/${lead}`, body);
  const read = async () => (await live.ask(`${LIST}/${id}`)).body;

  test.each(['/api/leads', '/api/user/leads'])('answers on %s', async (path) => {
    const answer = await send('PUT', `${path}/${id}`, { variables: { path } });
    expect([answer.status, answer.body]).toEqual([200, { message: 'Lead updated successfully' }]);
    expect(await read()).toMatchObject({ variables: { a: 1, path } });
  });

  test('formats the number, and moves to another campaign', async () => {
    const campaignId = await makeCampaign(live, { assistant_id: own.assistantId });
    expect((await update({ phone_number: '+1 202-555-0182', campaign_id: String(campaignId) })).status).toBe(
      200,
    );
    expect(await read()).toMatchObject({ phone_number: '+12025550182', campaign_id: campaignId });
  });

  test.each(['completed', 'reached-max-retries', 'created'])('takes the status %s', async (status) => {
    expect((await update({ status })).status).toBe(200);
    expect(await read()).toMatchObject({ status });
  });

  const STATUS = failed({ status: ['The status is assigned automatically and cannot be set manually.'] });
  test.each<[string, unknown, number, unknown]>([
    ['campaign missing', { campaign_id: MISSING_ID }, 404, { message: 'Campaign not found' }],
    ['phone number invalid', { phone_number: '123' }, 422, { message: 'Invalid phone number' }],
    [
      'campaign no integer',
      { campaign_id: 'x' },
      422,
      failed({ campaign_id: ['The campaign id must be an integer.'] }),
    ],
    ['status set manually', { status: 'dialing' }, 422, STATUS],
    ['status empty', { status: '' }, 422, STATUS],
    ['status null', { status: null }, 422, STATUS],
    [
      'variables not an array',
      { variables: 'x' },
      422,
      failed({ variables: ['The variables must be an array.'] }),
    ],
    ['another field', { name: 'Ada' }, 422, { message: 'Invalid fields: name' }],
    ['other fields', { name: 'Ada', status: 'x', id: 1 }, 422, { message: 'Invalid fields: name, id' }],
    ['a field called __proto__', '{"__proto__":{}}', 422, { message: 'Invalid fields: __proto__' }],
  ])('%s', async (_row, body, status, expected) => {
    const answer = await update(body);
    expect(answer.body).toEqual(expected);
    expect(answer.status).toBe(status);
  });

  test("another user's campaign answers like a missing one", async () => {
    const [theirs, missing] = [
      await update({ campaign_id: foreign.campaignId }),
      await update({ campaign_id: MISSING_ID }),
    ];
    expect([theirs.status, theirs.text]).toEqual([404, missing.text]);
  });
});

describe('a missing lead', () => {
  const ways: [string, string, string, unknown][] = [
    ['GET', '/api/user/leads', 'reading', undefined],
    ['PUT', '/api/leads', 'updating', { variables: {} }],
    ['PUT', '/api/user/leads', 'updating elsewhere', { status: 'completed' }],
    ['PUT', '/api/leads', 'giving it a bad number', { phone_number: '1' }],
    ['DELETE', '/api/user/leads', 'deleting', undefined],
  ];
  test.each(ways)(
    '%s on %s (%s) is 404, also for another user and for an invalid id',
    async (method, path, _what, body) => {
      for (const id of [MISSING_ID, foreign.leadId, 'last', '99999999999999999999']) {
        const answer = await send(method, `${path}/${id}`, body);
        expect([answer.status, answer.body], String(id)).toEqual([404, { message: 'Lead not found' }]);
      }
      expect((await live.ask(`/api/user/leads/${foreign.leadId}`, { token: stranger })).status).toBe(200);
    },
  );

  test('a deleted lead is removed with its contacts', async () => {
    const created = await create({ secondary_contacts: [{ phone_number: freshNumber() }] });
    const { data } = created.body as { data: { id: number; secondary_contacts: { id: number }[] } };
    const answer = await send('DELETE', `${LIST}/${data.id}`);
    expect([answer.status, answer.body]).toEqual([200, { message: 'Lead deleted successfully' }]);
    for (const id of [data.id, data.secondary_contacts[0]?.id]) {
      expect((await live.ask(`${LIST}/${id}`)).status).toBe(404);
    }
  });
});

test.each([
  ['PATCH', '/api/leads/1', 'PUT'],
  ['GET', '/api/leads/1', 'PUT'],
  ['POST', '/api/user/leads/1', 'GET, HEAD, PUT, PATCH, DELETE'],
  ['DELETE', '/api/user/leads', 'GET, HEAD'],
])('%s on %s is 405 and names %s', async (method, path, allow) => {
  const answer = await live.ask(path, { method });
  expect([answer.status, answer.headers.get('allow')?.split(', ').toSorted()]).toEqual([
    405,
    allow.split(', ').toSorted(),
  ]);
});

test('bulk creation accepts a body above the usual limit, and no other endpoint does', async () => {
  const { body: created } = await live.ask('/api/user/campaigns', {
    method: 'POST',
    body: { name: 'Bulk', assistant_id: 1 },
  });
  const path = `/api/user/campaigns/${(created as { data: { id: number } }).data.id}/leads`;
  const leads = Array.from({ length: 10_000 }, (_, index) => ({
    phone_number: `+1303555${String(index).padStart(4, '0')}`,
    variables: { note: 'x'.repeat(150) },
  }));
  const body = JSON.stringify({ leads });
  expect(body.length).toBeGreaterThan(1024 * 1024);
  const headers = { 'idempotency-key': 'bulk' };
  const first = await live.ask(path, { method: 'POST', body, headers });
  expect(first.body).toMatchObject({ data: { created: 10_000, refused: 0 } });
  const again = await live.ask(path, { method: 'POST', body, headers });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.text).toBe(first.text);
  const tooMany = await live.ask(path, { method: 'POST', body: { leads: [...leads, leads[0]] } });
  expect(tooMany.status).toBe(422);
  expect((await live.ask('/api/user/lead', { method: 'POST', body })).status).toBe(413);
  const tooLarge = await live.ask(path, { method: 'POST', body: `"${'x'.repeat(8 * 1024 * 1024)}"` });
  expect(tooLarge.body).toEqual({ message: 'The request body must not be larger than 8 MiB.' });
});
