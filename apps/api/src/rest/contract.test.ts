import { afterAll, beforeAll, expect, test } from 'vitest';
import { api, routesOf } from '@parley/contracts';
import { beginConversation } from '@parley/core';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import {
  administrationRequests,
  makeAdministration,
  type Administration,
} from '../../test/administration.ts';
import { createApiDocument } from '../docs/complete-document.ts';
import { mediaOf } from '../docs/openapi-parts.ts';
import { responseOf } from '../docs/share-responses.ts';
import { answerSchema } from '../../test/generated/contract-routes.ts';
import { startLiveApi, type LiveApi, type TestRequest } from '../../test/live-api.ts';
import { makeOutreach, outreachRequests, type Outreach } from '../../test/outreach.ts';
import { makeFailedDelivery, webhookRequests } from '../../test/webhooks.ts';

const database = useTestDatabase();
let live: LiveApi;
let assistantId: number;
const phraseIds: number[] = [];
let callId: number;
let deletedCallId: number;
/** Finished, because the events of a live call do not end. */
let followedCallId: number;
let things: Administration;
let outreach: Outreach;
let deliveryId: string;
let conversationId: string;
/** An assistant that no other test uses. */
let doomedId: number;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  const assistant = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant() });
  assistantId = (assistant.body as { data: { id: number } }).data.id;
  for (const text of ['Hello.', 'Goodbye.']) {
    const made = await live.ask(`/api/user/assistants/${assistantId}/recorded-phrases`, {
      method: 'POST',
      body: { text, file: 'UklGRg==' },
    });
    phraseIds.push((made.body as { data: { id: number } }).data.id);
  }
  const doomed = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant() });
  doomedId = (doomed.body as { data: { id: number } }).data.id;
  const call = await live.ask('/api/user/make_call', {
    method: 'POST',
    body: { phone_number: '+12025550142', assistant_id: assistantId, variables: { name: 'Ada' } },
  });
  callId = (call.body as { call_id: number }).call_id;
  deletedCallId = await makeFinishedCall('+12025550149');
  followedCallId = await makeFinishedCall('+12025550148');
  things = await makeAdministration(live);
  outreach = await makeOutreach(live);
  deliveryId = await makeFailedDelivery(live);
  conversationId = await makeConversation();
});

afterAll(() => live.stop());

async function makeConversation(): Promise<string> {
  const { body } = await live.ask(`/api/user/assistant/${assistantId}`);
  const { user_id: userId } = body as { user_id: number };
  const identity = { userId, role: 'operator', scopes: 'all', tokenId: null, timezone: 'UTC' } as const;
  const cost = { total_cost: 0, are_costs_complete: true };
  const opening = { text: 'Hello.', collected: {}, cost };
  const { uuid } = await beginConversation(live.core, identity, {
    assistantId,
    type: 'test',
    variables: {},
    opening,
  });
  return uuid;
}

/** Hung up before it was dialed. */
async function makeFinishedCall(phoneNumber: string): Promise<number> {
  const body = { phone_number: phoneNumber, assistant_id: assistantId };
  const { body: placed } = await live.ask('/api/user/make_call', { method: 'POST', body });
  const { call_id: id } = placed as { call_id: number };
  await live.ask(`/api/user/calls/${id}/hang-up`, { method: 'POST' });
  return id;
}

/** One good request for every endpoint: a new endpoint without one fails the test below. */
const requests: Record<string, () => { path: string; request?: TestRequest; status?: number }> = {
  'assistants.create': () => ({
    path: '/api/user/assistant',
    request: { method: 'POST', body: newAssistant() },
    status: 201,
  }),
  'assistants.list': () => ({ path: '/api/user/assistants/get?page=1&per_page=50' }),
  'assistants.listAll': () => ({ path: '/api/user/assistants' }),
  'assistants.listOutbound': () => ({ path: '/api/user/assistants/outbound' }),
  'assistants.get': () => ({ path: `/api/user/assistant/${assistantId}` }),
  'assistants.update': () => ({
    path: `/api/user/assistant/${assistantId}`,
    request: { method: 'PUT', body: { assistant_name: 'Berta' } },
  }),
  'assistants.remove': () => ({ path: `/api/user/assistant/${doomedId}`, request: { method: 'DELETE' } }),
  // No voice process runs here; the replies themselves are tested in apps/voice and by a whole installation.
  'assistants.generateReply': () => ({
    path: `/api/user/assistants/${assistantId}/generate-reply`,
    request: { method: 'POST', body: { messages: [{ role: 'user', content: 'Hello' }] } },
    status: 503,
  }),
  'assistants.enableWebhook': () => ({
    path: '/api/user/assistants/enable-webhook',
    request: { method: 'POST', body: { assistant_id: assistantId, webhook_url: 'https://owner.example' } },
  }),
  'assistants.enableInboundWebhook': () => ({
    path: '/api/user/assistants/enable-inbound-webhook',
    request: { method: 'POST', body: { assistant_id: assistantId, webhook_url: 'https://owner.example' } },
  }),
  'assistants.enableConversationEndedWebhook': () => ({
    path: '/api/user/assistants/enable-conversation-ended-webhook',
    request: {
      method: 'POST',
      body: { assistant_id: assistantId, webhook_url: 'https://receiver.example/ended' },
    },
  }),
  'assistants.disableConversationEndedWebhook': () => ({
    path: '/api/user/assistants/disable-conversation-ended-webhook',
    request: { method: 'POST', body: { assistant_id: assistantId } },
  }),
  'assistants.disableWebhook': () => ({
    path: '/api/user/assistants/disable-webhook',
    request: { method: 'POST', body: { assistant_id: String(assistantId) } },
  }),
  'assistants.disableInboundWebhook': () => ({
    path: '/api/user/assistants/disable-inbound-webhook',
    request: { method: 'POST', body: { assistant_id: assistantId } },
  }),
  'recordedPhrases.list': () => ({ path: `/api/user/assistants/${assistantId}/recorded-phrases` }),
  'recordedPhrases.create': () => ({
    path: `/api/user/assistants/${assistantId}/recorded-phrases`,
    request: { method: 'POST', body: { text: 'Good day.', file: 'UklGRg==' } },
    status: 201,
  }),
  'recordedPhrases.get': () => ({
    path: `/api/user/assistants/${assistantId}/recorded-phrases/${phraseIds[0]}`,
  }),
  'recordedPhrases.remove': () => ({
    path: `/api/user/assistants/${assistantId}/recorded-phrases/${phraseIds[1]}`,
    request: { method: 'DELETE' },
  }),
  'assistantVersions.list': () => ({ path: `/api/user/assistants/${assistantId}/versions` }),
  'assistantVersions.get': () => ({ path: `/api/user/assistants/${assistantId}/versions/1` }),
  'assistantVersions.restore': () => ({
    path: `/api/user/assistants/${assistantId}/versions/1/restore`,
    request: { method: 'POST', body: { settings: ['system_prompt'] } },
  }),
  'lookups.listSynthesizerProviders': () => ({ path: '/api/user/assistants/synthesizer-providers' }),
  'lookups.listTranscriberProviders': () => ({ path: '/api/user/assistants/transcriber-providers' }),
  'lookups.listVoices': () => ({ path: '/api/user/assistants/voices?mode=pipeline&language_id=1' }),
  'lookups.listModels': () => ({ path: '/api/user/assistants/models?type=llm' }),
  'lookups.listLanguages': () => ({ path: '/api/user/assistants/languages' }),
  'lookups.listPhoneNumbers': () => ({ path: '/api/user/assistants/phone-numbers?type=inbound' }),
  'calls.make': () => ({
    path: '/api/user/make_call',
    request: { method: 'POST', body: { phone_number: '+12025550143', assistant_id: assistantId } },
  }),
  'calls.makeStream': () => ({
    path: '/api/user/make_stream_call',
    request: {
      method: 'POST',
      body: { phone_number: '+12025550144', assistant_id: assistantId, url: 'wss://agent.example/media' },
    },
  }),
  'calls.list': () => ({ path: '/api/user/calls?status=initiated&per_page=5' }),
  'calls.get': () => ({ path: `/api/user/calls/${callId}` }),
  'calls.events': () => ({ path: `/api/user/calls/${followedCallId}/events` }),
  'calls.sipTrace': () => ({ path: `/api/user/calls/${callId}/sip-trace` }),
  'calls.sipCapture': () => ({ path: `/api/user/calls/${callId}/sip-trace.pcap` }),
  // No voice process runs in these tests.
  'writtenConversations.generateReply': () => ({
    path: '/api/ai/generate-reply',
    request: {
      method: 'POST',
      body: { assistant_id: assistantId, customer_identifier: 'crm-4711', message: 'Hello' },
    },
    status: 503,
  }),
  'writtenConversations.create': () => ({
    path: '/api/conversations',
    request: { method: 'POST', body: { assistant_id: assistantId } },
    status: 503,
  }),
  'writtenConversations.get': () => ({ path: `/api/conversations/${conversationId}` }),
  'writtenConversations.write': () => ({
    path: `/api/conversations/${conversationId}/messages`,
    request: { method: 'POST', body: { message: 'Hello' } },
    status: 503,
  }),
  'writtenConversations.list': () => ({ path: '/api/user/conversations?type=test' }),
  'writtenConversations.disableAi': () => ({
    path: `/api/automate/conversations/${conversationId}/disable-ai`,
    request: { method: 'POST' },
  }),
  'writtenConversations.enableAi': () => ({
    path: `/api/automate/conversations/${conversationId}/enable-ai`,
    request: { method: 'POST' },
  }),
  'calls.evaluate': () => ({
    path: `/api/user/calls/${callId}/evaluate`,
    request: { method: 'POST' },
    status: 503,
  }),
  // Nothing was said in the call; a replay is tested in apps/worker.
  'suiteRuns.replay': () => ({
    path: `/api/user/calls/${callId}/replays`,
    request: { method: 'POST', body: { assistant_id: assistantId } },
    status: 422,
  }),
  'calls.file': () => ({ path: '/api/user/calls.csv?type=outbound' }),
  'calls.setDisposition': () => ({
    path: `/api/user/calls/${callId}/disposition`,
    request: { method: 'PUT', body: { disposition: null } },
  }),
  'calls.hangUp': () => ({ path: `/api/user/calls/${callId}/hang-up`, request: { method: 'POST' } }),
  'calls.remove': () => ({ path: `/api/user/calls/${deletedCallId}`, request: { method: 'DELETE' } }),
  'users.me': () => ({ path: '/api/user/me' }),
  ...administrationRequests(() => things),
  ...outreachRequests(() => outreach),
  ...webhookRequests(() => deliveryId),
};

/** Instead of the documented example: here no receiver answers. */
const OTHER_MESSAGES: Record<string, string> = {
  'webhookEndpoints.test': 'The test event could not be delivered',
};

test.each(routesOf(api).map((route) => ({ ...route, id: `${route.group}.${route.name}` })))(
  '$id answers what the contract says',
  async ({ id, route }) => {
    const { path, request, status = 200 } = requests[id]?.() ?? { path: `no request for ${id}` };
    const answer = await live.ask(path, request);
    expect(answer.status, answer.text).toBe(status);
    const { message } = (answer.body ?? {}) as { message?: string };
    expect(message).toBe(OTHER_MESSAGES[id] ?? documentedMessage(id, status));
    const right = answerSchema(route, status);
    expect(right?.schema.safeParse(answer.body ?? answer.text).error).toBeUndefined();
    expect(answer.headers.get('content-type')).toMatch(new RegExp(`^${right?.contentType}`));
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('100000');
  },
);

const document = createApiDocument();

/** The `message` of a documented example. */
function documentedMessage(id: string, status: number): unknown {
  const operation = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .find(({ operationId }) => operationId === id);
  const { content } = responseOf(document, operation?.responses[status]) ?? {};
  return content && (mediaOf(content).media.example as { message?: unknown } | undefined)?.message;
}

test('a created assistant has the written values, and defaults elsewhere', async () => {
  const body = newAssistant({
    filler_audios: 'true',
    max_call_duration: '300',
    who_speaks_first: 'Customer',
  });
  const created = await live.ask('/api/user/assistant', { method: 'POST', body });
  expect(created.body).toMatchObject({
    message: 'Assistant created successfully',
    data: { name: 'Anna', status: 'active', type: 'outbound', mode: 'pipeline' },
  });
  const { id } = (created.body as { data: { id: number } }).data;
  const read = await live.ask(`/api/user/assistant/${id}`);
  expect(read.body).toMatchObject({
    id,
    name: 'Anna',
    fillers: 1,
    max_duration: 300,
    wait_for_customer: true,
    llm_temperature: '0.1',
    speech_speed: '1.0',
    end_call_on_voicemail: 1,
    variables: {},
    webhook_url: null,
    deleted_at: null,
  });
});

test('a placed call is read back with its variables and numbers', async () => {
  const { body } = await live.ask(`/api/user/calls/${callId}`);
  expect(body).toMatchObject({
    id: callId,
    type: 'outbound',
    client_phone_number: '+12025550142',
    input_variables: { name: 'Ada' },
    assistant_id: assistantId,
  });
});

test('links of a list are absolute and keep the query', async () => {
  const { body } = await live.ask('/api/user/assistants/get?per_page=1&other=x&page=1');
  expect(body).toMatchObject({
    path: `${live.url}/api/user/assistants/get`,
    next_page_url: `${live.url}/api/user/assistants/get?per_page=1&other=x&page=2`,
    current_page: 1,
    per_page: 1,
  });
});

test('HEAD answers like GET, without a body', async () => {
  const answer = await live.ask('/api/user/me', { method: 'HEAD' });
  expect(answer.status).toBe(200);
  expect(answer.text).toBe('');
});

test('health needs no token', async () => {
  expect((await live.ask('/livez', { token: null })).status).toBe(200);
  expect((await live.ask('/readyz', { token: null })).body).toMatchObject({
    status: 'ok',
    checks: { database: 'ok' },
  });
});
