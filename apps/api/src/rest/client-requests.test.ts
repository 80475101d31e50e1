import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { makeCampaign, makeLead } from '../../test/outreach.ts';

/**
 * The request forms that public clients of this API family use.
 * Every request has `Content-Type: application/json`, GET included; see `test/live-api.ts`.
 */
const database = useTestDatabase();
let live: LiveApi;
let assistantId: number;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  const assistants = await live.ask('/api/user/assistants/outbound');
  assistantId = (assistants.body as { id: number }[])[0]?.id ?? 0;
});

afterAll(() => live.stop());

test.each([
  '/api/user/assistants',
  '/api/user/assistants/outbound',
  '/api/user/assistants/phone-numbers?type=inbound',
  '/api/user/assistants/voices?mode=pipeline&language_id=1',
  '/api/user/assistants/models?type=llm',
  '/api/user/assistants/languages',
  '/api/user/assistants/synthesizer-providers',
  '/api/user/assistants/transcriber-providers',
])('GET %s is a bare list of things with an id, with no user agent', async (path) => {
  const answer = await live.ask(path, { headers: { 'user-agent': '', accept: 'application/json' } });
  expect(answer.status).toBe(200);
  for (const item of answer.body as { id: unknown }[]) expect(item.id).toEqual(expect.any(Number));
});

test('a token is verified with GET /api/user/me', async () => {
  expect((await live.ask('/api/user/me')).status).toBe(200);
});

test('a base address that ends with a slash works, also in the links of a list', async () => {
  const answer = await live.ask('//api/user/assistants/get?page=1&per_page=1');
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    path: `${live.url}/api/user/assistants/get`,
    first_page_url: `${live.url}/api/user/assistants/get?per_page=1&page=1`,
  });
});

test('assistants are listed in pages of fifty', async () => {
  const answer = await live.ask('/api/user/assistants/get?page=1&per_page=50');
  expect(answer.body).toMatchObject({ current_page: 1, per_page: 50, from: 1 });
});

test('an automation tool sends an assistant with read names, and numbers and booleans as strings', async () => {
  const answer = await live.ask('/api/user/assistant', {
    method: 'POST',
    body: {
      name: 'From a form',
      voice_id: '1',
      language_id: '1',
      llm_model_id: '1',
      type: 'outbound',
      mode: 'pipeline',
      timezone: 'Europe/Berlin',
      initial_message: 'Hi',
      system_prompt: 'Help.',
      record: 'true',
      max_duration: '120',
      llm_temperature: '0.3',
    },
  });
  expect(answer.status).toBe(201);
  const { id } = (answer.body as { data: { id: number } }).data;
  expect((await live.ask(`/api/user/assistant/${id}`)).body).toMatchObject({
    name: 'From a form',
    record: true,
    max_duration: 120,
    llm_temperature: '0.3',
    wait_for_customer: false,
  });
});

test('an assistant is updated with the fields of a form, and deleted without a body', async () => {
  const made = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant() });
  const { id } = (made.body as { data: { id: number } }).data;
  const changed = await live.ask(`/api/user/assistant/${id}`, { method: 'PUT', body: { name: 'New name' } });
  expect([changed.status, (changed.body as { data: { id: number } }).data.id]).toEqual([200, id]);
  const deleted = await live.ask(`/api/user/assistant/${id}`, { method: 'DELETE' });
  expect([deleted.status, deleted.body]).toEqual([200, { message: 'Assistant deleted successfully' }]);
});

test.each(['enable-webhook', 'disable-webhook', 'enable-inbound-webhook', 'disable-inbound-webhook'])(
  'an automation tool requests %s with the id as a string',
  async (operation) => {
    const enabling = { webhook_url: 'https://automation.example/hook' };
    const body = { assistant_id: String(assistantId), ...(operation.startsWith('enable') && enabling) };
    const answer = await live.ask(`/api/user/assistants/${operation}`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: expect.any(String) as string, data: [] });
  },
);

test('a call is placed with the id as a string, spaces in the number, and variables as an empty list', async () => {
  const answer = await live.ask('/api/user/make_call', {
    method: 'POST',
    body: { assistant_id: String(assistantId), phone_number: '+1 202 555 0161', variables: [] },
  });
  expect(answer.status).toBe(200);
  const { call_id } = answer.body as { call_id: number };
  expect(answer.body).toEqual({
    message: 'Call initiated successfully',
    data: { call_id, status: 'initiated' },
    call_id,
    status: 'initiated',
  });
  expect((await live.ask(`/api/user/calls/${call_id}`)).body).toMatchObject({
    client_phone_number: '+12025550161',
    input_variables: {},
  });
});

test('variables may be an object of strings', async () => {
  const answer = await live.ask('/api/user/make_call', {
    method: 'POST',
    body: { assistant_id: assistantId, phone_number: '+1 (202) 555-0162', variables: { name: 'text' } },
  });
  expect(answer.status).toBe(200);
});

test('variable is read like variables', async () => {
  const answer = await live.ask('/api/user/make_call', {
    method: 'POST',
    body: { assistant_id: assistantId, phone_number: '00 1 202 555 0163', variable: [{ name: 'text' }] },
  });
  const { call_id } = answer.body as { call_id: number };
  expect((await live.ask(`/api/user/calls/${call_id}`)).body).toMatchObject({
    client_phone_number: '+12025550163',
    input_variables: { name: 'text' },
  });
});

test('empty query values count as absent', async () => {
  const answer = await live.ask('/api/user/calls?assistant_id=&page=&per_page=');
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ current_page: 1, per_page: 15 });
});

test('a number in a query keeps its plus, encoded or not', async () => {
  for (const number of ['%2B12025550161', '+12025550161']) {
    const answer = await live.ask(`/api/user/calls?phone_number=${number}`);
    expect(answer.body).toMatchObject({ total: 1 });
  }
});

test('a response is JSON with any Accept header', async () => {
  const answer = await live.ask('/api/user/nothing', { headers: { accept: 'text/html' } });
  expect(answer.body).toEqual({ message: 'Not Found' });
});

test('campaigns fill a drop-down from a bare list', async () => {
  const id = await makeCampaign(live, { assistant_id: assistantId, name: 'Drop-down' });
  const { body } = await live.ask('/api/user/campaigns');
  expect(body).toContainEqual(expect.objectContaining({ id, name: 'Drop-down' }) as object);
});

test('creating a lead answers exactly 200, with its campaign as a string and its variables as a list', async () => {
  const campaignId = await makeCampaign(live, { assistant_id: String(assistantId) });
  const body = {
    campaign_id: String(campaignId),
    phone_number: '+1 202 555 0165',
    variables: [{ customer_name: 'Ada' }, { email: 'ada@example.org' }],
    allow_dupplicate: true,
    secondary_contacts: [{ phone_number: '+12025550166', variables: { customer_name: 'Bo' } }],
  };
  const answer = await live.ask('/api/user/lead', { method: 'POST', body });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    message: 'Lead created successfully',
    data: { variables: { customer_name: 'Ada', email: 'ada@example.org' } },
  });
});

test('leads are paged, changed without the user segment, and deleted', async () => {
  const campaignId = await makeCampaign(live, { assistant_id: assistantId });
  const id = await makeLead(live, { campaign_id: campaignId, phone_number: '+12025550167' });
  const page = await live.ask('/api/user/leads?page=1&per_page=20');
  expect(page.body).toMatchObject({ current_page: 1, per_page: 20, data: expect.any(Array) as unknown[] });
  for (const status of ['completed', 'reached-max-retries', 'created']) {
    const answer = await live.ask(`/api/leads/${id}`, { method: 'PUT', body: { status } });
    expect([answer.status, answer.body]).toEqual([200, { message: 'Lead updated successfully' }]);
  }
  const deleted = await live.ask(`/api/user/leads/${id}`, { method: 'DELETE' });
  expect([deleted.status, deleted.body]).toEqual([200, { message: 'Lead deleted successfully' }]);
});

test('a campaign is started, stopped, and deleted in the singular', async () => {
  const id = await makeCampaign(live, { assistant_id: assistantId });
  for (const action of ['start', 'stop']) {
    const body = { campaign_id: id, action };
    const answer = await live.ask('/api/user/campaigns/update-status', { method: 'POST', body });
    expect([answer.status, (answer.body as { success: unknown }).success]).toEqual([200, true]);
  }
  const deleted = await live.ask(`/api/user/campaign/${id}`, { method: 'DELETE' });
  expect([deleted.status, deleted.body]).toEqual([200, { message: 'Campaign deleted successfully' }]);
});
