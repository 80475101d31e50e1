import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishCall, recordCallEvent } from '@parley/core';
import { statement } from '@parley/db';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { startLiveApi, type LiveApi, type TestRequest } from '../../test/live-api.ts';

/** Answers that docs/api.md and the API reference settle in half a sentence, and that no other test asks for. */
const database = useTestDatabase();
let live: LiveApi;
let assistantId: number;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  assistantId = await idOf('/api/user/assistant', newAssistant());
});

afterAll(() => live.stop());

const post = (path: string, body: unknown = {}) => live.ask(path, { method: 'POST', body });

async function idOf(path: string, body: unknown): Promise<number> {
  const { body: answer, text } = await post(path, body);
  const { data } = answer as { data?: { id?: number; call_id?: number } };
  const id = data?.id ?? data?.call_id;
  if (id === undefined) throw new Error(`${path} answered ${text}`);
  return id;
}

const MAKE_CALL = '/api/user/make_call';
const WEBHOOKS = '/api/user/assistants';

const send = (body: unknown): TestRequest => ({ method: 'POST', body });
const invalid = (field: string, text: string) => ({
  message: 'The given data was invalid.',
  errors: { [field]: [text] },
});

/** What is asked, path, request with `ID` for the assistant, status, and what the answer contains. */
const asked: [string, string, TestRequest, number, Record<string, unknown>][] = [
  [
    'a call with a bad number and without its assistant',
    MAKE_CALL,
    send({ phone_number: 'abc', assistant_id: 99_999 }),
    404,
    { message: 'Assistant not found' },
  ],
  [
    'a call without a number and without its assistant',
    MAKE_CALL,
    send({ phone_number: '', assistant_id: 99_999 }),
    422,
    invalid('phone_number', 'The phone number field is required.'),
  ],
  [
    'a call with an empty text for the id',
    MAKE_CALL,
    send({ phone_number: '+12025550171', assistant_id: '' }),
    422,
    invalid('assistant_id', 'The assistant id must be an integer.'),
  ],
  [
    'disabling a webhook with an address that is none',
    `${WEBHOOKS}/disable-webhook`,
    send({ assistant_id: 'ID', webhook_url: 'nonsense' }),
    200,
    { message: 'Webhook disabled successfully', data: [] },
  ],
  [
    'disabling an inbound webhook with an address that is none',
    `${WEBHOOKS}/disable-inbound-webhook`,
    send({ assistant_id: 'ID', webhook_url: 5 }),
    200,
    { message: 'Inbound webhook disabled successfully', data: [] },
  ],
  ['calls with unknown filters', '/api/user/calls?colour=red&foo[]=x', {}, 200, { per_page: 15 }],
  ['campaigns with unknown filters', '/api/user/campaigns?status=none', {}, 200, {}],
  [
    'a GET with the content type of a form',
    '/api/user/me',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    200,
    { total_balance: 0 },
  ],
];

test.each(asked)('%s', async (_what, path, request, status, part) => {
  const withId = JSON.stringify(request.body)?.replace('"ID"', String(assistantId));
  const answer = await live.ask(path, { ...request, ...(withId !== undefined && { body: withId }) });
  expect(answer).toMatchObject({ status, body: part });
});

const noteInvite = statement('', 'update live_calls set invite_sent_at = created_at where call_id = $1');

/** A conversation in progress. */
async function converse(phoneNumber: string): Promise<{ callId: number; at: Date }> {
  const callId = await idOf(MAKE_CALL, { phone_number: phoneNumber, assistant_id: assistantId });
  await database.db.query(noteInvite, [callId]);
  const at = new Date(live.core.clock.now());
  for (const event of ['ringing', 'answered'] as const)
    await recordCallEvent(live.core, { callId, event, at });
  return { callId, at };
}

test('a live call is hung up twice with 200, and a call that is over with 409', async () => {
  const { callId, at } = await converse('+12025550171');
  const hangUp = () => post(`/api/user/calls/${callId}/hang-up`);
  const answered = { status: 200, body: { data: { call_id: callId, status: 'in-progress' } } };
  expect([await hangUp(), await hangUp()]).toMatchObject([answered, answered]);
  await finishCall(live.core, {
    callId,
    event: 'customer-hung-up',
    at,
    transcript: '',
    turns: [],
    toolCalls: [],
    variables: {},
    recording: null,
    answeredBy: 'human',
    endedReason: 'customer_hung_up',
  });
  expect((await hangUp()).status).toBe(409);
});

const moveCall = statement('', 'update live_calls set campaign_id = $1 where call_id = $2');
const readHangUp = statement<{ reason: string | null }>(
  '',
  'select hang_up_reason as reason from live_calls where call_id = $1',
);

test('the stop of a campaign ends conversations only with hang_up', async () => {
  const { callId } = await converse('+12025550172');
  const campaignId = await idOf('/api/user/campaigns', { name: 'Stopped', assistant_id: assistantId });
  await database.db.query(moveCall, [campaignId, callId]);
  const stop = async (more: object) => {
    const body = { campaign_id: campaignId, action: 'stop', ...more };
    const { status } = await post('/api/user/campaigns/update-status', body);
    return [status, ...(await database.db.query(readHangUp, [callId]))];
  };
  expect(
    await post('/api/user/campaigns/update-status', { campaign_id: campaignId, action: 'start' }),
  ).toMatchObject({
    status: 200,
  });
  expect(await stop({})).toEqual([200, { reason: null }]);
  expect(await stop({ hang_up: 'true' })).toEqual([200, { reason: 'campaign_stopped' }]);
});

const finishRun = statement('', `update suite_runs set status = 'passed', finished_at = now() where id = $1`);

test('a run of a suite is cancelled, repeatedly; one that is over stays as it is, and the message says so', async () => {
  const definition = `assistant: ${assistantId}\ncallers: [{ name: asks, script: [Hello.] }]`;
  const suiteId = await idOf('/api/user/suites', { definition });
  const start = () => idOf(`/api/user/suites/${suiteId}/runs`, {});
  const cancel = async (id: number) => (await post(`/api/user/suite-runs/${id}/cancel`)).body;
  const first = await start();
  const cancelled = { message: 'Run cancelled successfully', data: { status: 'cancelled' } };
  expect([await cancel(first), await cancel(first)]).toMatchObject([cancelled, cancelled]);
  const second = await start();
  await database.db.query(finishRun, [second]);
  expect(await cancel(second)).toMatchObject({
    message: 'The run was over already',
    data: { status: 'passed' },
  });
});

test('the test of a webhook endpoint that cannot be reached says that nothing was delivered', async () => {
  const id = await idOf('/api/user/webhook-endpoints', {
    url: 'http://127.0.0.1:1/',
    events: ['call.ended'],
  });
  expect(await post(`/api/user/webhook-endpoints/${id}/test`)).toMatchObject({
    status: 200,
    body: {
      message: 'The test event could not be delivered',
      data: { status: null, error: expect.any(String) },
    },
  });
});
