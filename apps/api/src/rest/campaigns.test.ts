import { campaignDetail, campaignRecord } from '@parley/contracts';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLiveApi, type LiveApi, type TestRequest } from '../../test/live-api.ts';
import { makeCampaign, makeLead, makeOutreach, type Outreach } from '../../test/outreach.ts';

/** Every statement of docs/api.md, "Campaigns", and the fields that the API reference lists for a campaign. */
const database = useTestDatabase();
let live: LiveApi;
let own: Outreach;
/** A campaign, lead and assistant of another user. */
let foreign: Outreach;
let inboundId: number;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  own = await makeOutreach(live);
  const { token } = await live.addUser('Stranger');
  foreign = await makeOutreach(live, token);
  const body = newAssistant({ calls_direction: 'receive' });
  const inbound = await live.ask('/api/user/assistant', { method: 'POST', body });
  inboundId = (inbound.body as { data: { id: number } }).data.id;
});

afterAll(() => live.stop());

const PATH = '/api/user/campaigns';
const STATUS = `${PATH}/update-status`;
const MISSING_ID = 999_999;
const NO_ASSISTANT = { message: 'Assistant not found or not an outbound assistant.' };

const send = (method: string, path: string, body?: unknown, more: TestRequest = {}) =>
  live.ask(path, { method, ...(body === undefined ? {} : { body }), ...more });
const create = (body: Record<string, unknown> = {}, path = PATH) =>
  send('POST', path, { name: 'Autumn', assistant_id: own.assistantId, ...body });

const failed = (errors: Record<string, string[]>) => ({ message: 'Validation failed', errors });

describe('POST /api/user/campaigns', () => {
  test.each([PATH, '/api/user/campaign'])(
    'answers 201 on %s, with a draft that has the defaults',
    async (path) => {
      const answer = await create({}, path);
      expect(answer.status).toBe(201);
      const { message, data } = answer.body as { message: string; data: unknown };
      expect(message).toBe('Campaign created successfully');
      expect(campaignRecord.parse(data)).toMatchObject({
        name: 'Autumn',
        status: 'draft',
        max_calls_in_parallel: 3,
        mark_complete_when_no_leads: true,
        allowed_hours_start_time: '00:00:00',
        allowed_hours_end_time: '23:59:00',
        allowed_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
        max_retries: 3,
        retry_interval: 3600,
      });
    },
  );

  test.each<[string, unknown, string]>([
    ['name', undefined, 'The name field is required.'],
    ['name', '', 'The name field is required.'],
    ['name', 5, 'The name must be a string.'],
    ['name', 'x'.repeat(256), 'The name must not be greater than 255 characters.'],
    ['assistant_id', undefined, 'The assistant id field is required.'],
    ['assistant_id', 'x', 'The assistant id must be an integer.'],
    ['timezone', 'Mars/Olympus', 'The timezone must be a valid timezone.'],
    ['max_calls_in_parallel', 0, 'The max calls in parallel must be between 1 and 10000.'],
    ['max_calls_in_parallel', 'many', 'The max calls in parallel must be an integer.'],
    ['allowed_hours_start_time', '24:00', 'The allowed hours start time format is invalid.'],
    ['allowed_hours_start_time', '9:00', 'The allowed hours start time format is invalid.'],
    ['allowed_hours_end_time', '10:60:00', 'The allowed hours end time format is invalid.'],
    ['allowed_hours_end_time', 10, 'The allowed hours end time must be a string.'],
    ['allowed_days', 'monday', 'The allowed days must be an array.'],
    ['max_retries', -1, 'The max retries must be between 0 and 10.'],
    ['max_retries', 11, 'The max retries must be between 0 and 10.'],
    ['retry_interval', 9, 'The retry interval must be between 10 and 604800.'],
    ['retry_interval', 604_801, 'The retry interval must be between 10 and 604800.'],
    ['mark_complete_when_no_leads', 'x', 'The mark complete when no leads field must be true or false.'],
    ['retry_on_voicemail', 'x', 'The retry on voicemail field must be true or false.'],
    ['phone_number_ids', 'x', 'The phone number ids must be an array.'],
  ])('%s: %j is refused', async (field, value, text) => {
    const answer = await create({ [field]: value });
    expect([answer.status, answer.body]).toEqual([422, failed({ [field]: [text] })]);
  });

  test.each<[string, Record<string, unknown>, Record<string, string[]>]>([
    [
      'an invalid day',
      { allowed_days: ['monday', 'Friday'] },
      { 'allowed_days.1': ['The selected allowed_days.1 is invalid.'] },
    ],
    [
      "a number that is not the caller's",
      { phone_number_ids: [MISSING_ID] },
      { 'phone_number_ids.0': ['The selected phone_number_ids.0 is invalid.'] },
    ],
    [
      'a goal without a variable',
      { retry_on_goal_incomplete: true },
      {
        goal_completion_variable: [
          'The goal completion variable field is required when retry on goal incomplete is true.',
        ],
      },
    ],
    [
      'several faults at once',
      { name: '', max_retries: 99, retry_on_goal_incomplete: true },
      {
        name: ['The name field is required.'],
        max_retries: ['The max retries must be between 0 and 10.'],
        goal_completion_variable: [
          'The goal completion variable field is required when retry on goal incomplete is true.',
        ],
      },
    ],
  ])('%s', async (_what, body, errors) => {
    const answer = await create(body);
    expect([answer.status, answer.body]).toEqual([422, failed(errors)]);
  });

  test.each<[string, () => number]>([
    ['missing', () => MISSING_ID],
    ["another user's", () => foreign.assistantId],
    ['inbound', () => inboundId],
  ])('an assistant that is %s is 404', async (_what, assistantId) => {
    const answer = await create({ assistant_id: assistantId() });
    expect([answer.status, answer.body]).toEqual([404, NO_ASSISTANT]);
  });

  test('returns the written values, with days in week order and times with seconds', async () => {
    const answer = await create({
      allowed_days: ['sunday', 'tuesday', 'tuesday'],
      allowed_hours_start_time: '22:00',
      allowed_hours_end_time: '06:00:30',
      max_retries: '0',
      retry_interval: '604800',
      mark_complete_when_no_leads: 0,
    });
    expect(answer.body).toMatchObject({
      data: {
        allowed_days: ['tuesday', 'sunday'],
        allowed_hours_start_time: '22:00:00',
        allowed_hours_end_time: '06:00:30',
        max_retries: 0,
        retry_interval: 604_800,
        mark_complete_when_no_leads: false,
      },
    });
  });

  test('two requests with one Idempotency-Key create one campaign', async () => {
    const body = { name: 'Once', assistant_id: own.assistantId };
    const headers = { 'idempotency-key': 'campaign-once' };
    const first = await send('POST', PATH, body, { headers });
    const again = await send('POST', PATH, body, { headers });
    expect([again.status, again.text]).toEqual([201, first.text]);
    const { body: all } = await live.ask(PATH);
    expect((all as { name: string }[]).filter(({ name }) => name === 'Once')).toHaveLength(1);
  });
});

describe('reading and changing', () => {
  test('the list is bare, newest first, with exactly the fields of the specification', async () => {
    const campaigns = campaignRecord.array().parse((await live.ask(PATH)).body);
    const ids = campaigns.map(({ id }) => id);
    expect(ids).toContain(own.campaignId);
    expect(ids).not.toContain(foreign.campaignId);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  });

  test.each([PATH, '/api/user/campaign'])(
    'GET %s/{id} adds what else can be written, and progress',
    async (path) => {
      const answer = await live.ask(`${path}/${own.campaignId}`);
      expect(answer.status).toBe(200);
      expect(campaignDetail.parse(answer.body)).toMatchObject({
        assistant_id: own.assistantId,
        timezone: 'UTC',
        phone_number_ids: [],
        progress: { leads: 3, created: 3, waiting: 3, live_calls: 0 },
      });
    },
  );

  test.each([PATH, '/api/user/campaign'])('PUT %s/{id} changes only the sent fields', async (path) => {
    const id = await makeCampaign(live, { assistant_id: own.assistantId, max_retries: 7 });
    const answer = await send('PUT', `${path}/${id}`, { name: path, timezone: 'Asia/Tokyo', other: 1 });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      message: 'Campaign updated successfully',
      data: { id, name: path, max_retries: 7 },
    });
    expect((await live.ask(`${PATH}/${id}`)).body).toMatchObject({ timezone: 'Asia/Tokyo' });
  });

  test.each<[string, Record<string, unknown>, number, unknown]>([
    [
      'a rule of creating',
      { max_retries: 11 },
      422,
      failed({ max_retries: ['The max retries must be between 0 and 10.'] }),
    ],
    ['an empty name', { name: '' }, 422, failed({ name: ['The name field is required.'] })],
    ['a missing assistant', { assistant_id: MISSING_ID }, 404, NO_ASSISTANT],
    [
      'another status',
      { status: 'completed' },
      422,
      failed({ status: ['The status is assigned automatically and cannot be set manually.'] }),
    ],
  ])('PUT refuses %s', async (_what, body, status, expected) => {
    const answer = await send('PUT', `${PATH}/${own.campaignId}`, body);
    expect([answer.status, answer.body]).toEqual([status, expected]);
  });

  test('a record that was read can be sent back', async () => {
    const id = await makeCampaign(live, { assistant_id: own.assistantId });
    const { body } = await live.ask(`${PATH}/${id}`);
    const answer = await send('PUT', `${PATH}/${id}`, { ...(body as object), name: 'Renamed' });
    expect(answer.status, answer.text).toBe(200);
  });

  test.each([PATH, '/api/user/campaign'])('DELETE %s/{id} removes it with its leads', async (path) => {
    const id = await makeCampaign(live, { assistant_id: own.assistantId });
    const leadId = await makeLead(live, { campaign_id: id, phone_number: '+12025550190' });
    const answer = await send('DELETE', `${path}/${id}`);
    expect([answer.status, answer.body]).toEqual([200, { message: 'Campaign deleted successfully' }]);
    expect((await live.ask(`${PATH}/${id}`)).status).toBe(404);
    expect((await live.ask(`/api/user/leads/${leadId}`)).status).toBe(404);
    const { body } = await live.ask(PATH);
    expect((body as { id: number }[]).map((campaign) => campaign.id)).not.toContain(id);
  });

  test.each<[string, unknown]>([
    ['GET', undefined],
    ['PUT', { name: 'Mine' }],
    ['DELETE', undefined],
  ])('%s of a missing campaign or another user’s campaign is 404', async (method, body) => {
    for (const id of [MISSING_ID, foreign.campaignId, 'last']) {
      const answer = await send(method, `${PATH}/${id}`, body);
      expect([answer.status, answer.body], String(id)).toEqual([404, { message: 'Campaign not found' }]);
    }
  });
});

describe('POST /api/user/campaigns/update-status', () => {
  let id: number;
  beforeAll(async () => {
    id = await makeCampaign(live, { assistant_id: own.assistantId });
  });

  test('starts and stops, also when repeated', async () => {
    const steps = [
      ['stop', 'Campaign stopped successfully.', 'draft'],
      ['start', 'Campaign started successfully.', 'in-progress'],
      ['start', 'Campaign started successfully.', 'in-progress'],
      ['stop', 'Campaign stopped successfully.', 'stopped'],
      ['stop', 'Campaign stopped successfully.', 'stopped'],
      ['start', 'Campaign started successfully.', 'in-progress'],
    ];
    for (const [action, message, status] of steps) {
      const answer = await send('POST', STATUS, { campaign_id: String(id), action, hang_up: 'true' });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ message, success: true, data: { campaign_id: id, status } });
    }
  });

  test.each<[string, unknown, number, unknown]>([
    [
      'a missing campaign',
      { campaign_id: MISSING_ID, action: 'start' },
      404,
      { message: 'Campaign not found' },
    ],
    [
      'an invalid action',
      { campaign_id: 1, action: 'pause' },
      422,
      failed({ action: ['The selected action is invalid.'] }),
    ],
    [
      'no action',
      { campaign_id: 1, action: null },
      422,
      failed({ action: ['The action field is required.'] }),
    ],
    [
      'nothing',
      {},
      422,
      failed({
        campaign_id: ['The campaign id field is required.'],
        action: ['The action field is required.'],
      }),
    ],
  ])('%s', async (_what, body, status, expected) => {
    const answer = await send('POST', STATUS, body);
    expect([answer.status, answer.body]).toEqual([status, expected]);
  });

  test("another user's campaign is 404 for both actions", async () => {
    for (const action of ['start', 'stop']) {
      const answer = await send('POST', STATUS, { campaign_id: foreign.campaignId, action });
      expect([answer.status, answer.body]).toEqual([404, { message: 'Campaign not found' }]);
    }
  });

  test('a start without its assistant is 422 with success false', async () => {
    const made = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant() });
    const assistantId = (made.body as { data: { id: number } }).data.id;
    const campaignId = await makeCampaign(live, { assistant_id: assistantId });
    await send('PUT', `/api/user/assistant/${assistantId}`, { status: 'inactive' });
    const answer = await send('POST', STATUS, { campaign_id: campaignId, action: 'start' });
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        message: 'The campaign needs an active outbound assistant before it can be started.',
        success: false,
      },
    ]);
  });
});

test.each([
  ['PATCH', `${PATH}/1`, 'GET, HEAD, PUT, DELETE'],
  ['POST', '/api/user/campaign/1', 'GET, HEAD, PUT, DELETE'],
  ['DELETE', PATH, 'GET, HEAD, POST'],
  ['GET', '/api/user/campaign', 'POST'],
])('%s on %s is 405 and names %s', async (method, path, allow) => {
  const answer = await live.ask(path, { method });
  expect([answer.status, answer.headers.get('allow')?.split(', ').toSorted()]).toEqual([
    405,
    allow.split(', ').toSorted(),
  ]);
});
