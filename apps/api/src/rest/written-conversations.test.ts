/** Written conversations over HTTP, with the real database. The far end of the private contract answers as the tests want. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { endInactiveConversations, removeExpiredData } from '@parley/core';
import { statement } from '@parley/db';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();
const INTERNAL_SECRET = 'the internal secret of this test, long enough';
const WEBHOOK = 'https://receiver.example/ended';
let live: LiveApi;
let voice: Server;
/** What the model was asked, and how it answers. */
let asked: { messages: { role: string; content: string }[]; variables: object; run_tools: boolean }[];
let respond: (response: ServerResponse) => void | Promise<void>;

beforeAll(async () => {
  voice = createServer((request, response) => {
    void (async () => {
      asked.push(JSON.parse(await textOf(request)) as (typeof asked)[number]);
      await respond(response);
    })();
  });
  voice.listen(0, '127.0.0.1');
  await once(voice, 'listening');
  const { port } = voice.address() as AddressInfo;
  live = await startLiveApi({
    db: database.db,
    settings: { VOICE_URL: `http://127.0.0.1:${port}`, INTERNAL_SECRET },
  });
});
afterAll(async () => {
  await live.stop();
  voice.closeAllConnections();
  voice.close();
});
beforeEach(() => {
  asked = [];
  respond = saying('Hello.');
});

const TOOL = { name: 'look_up', arguments: { day: 'Monday' }, is_ok: true, result: 'HTTP 200' };

function saying(reply: string, about: object = {}) {
  const cost = { total_cost: 0.25, are_costs_complete: true };
  const facts = {
    tool_calls: [],
    variables: {},
    first_words_ms: 4,
    duration_ms: 9,
    is_ended: false,
    ...cost,
  };
  return answering(200, { reply, ...facts, ...about });
}

const answering = (status: number, body: unknown) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const post = (path: string, body: object = {}, about: object = {}) =>
  live.ask(path, { method: 'POST', body, ...about });

async function makeAssistant(fields: Record<string, unknown> = {}): Promise<number> {
  const made = await post('/api/user/assistant', newAssistant(fields));
  expect(made.status, made.text).toBe(201);
  return (made.body as { data: { id: number } }).data.id;
}

interface Begun {
  conversation_id: string;
  history: { role: string; content: string }[];
}

async function begin(assistantId: number | string, fields: object = {}): Promise<string> {
  const begun = await post('/api/conversations', { assistant_id: String(assistantId), ...fields });
  expect(begun.status, begun.text).toBe(200);
  return (begun.body as Begun).conversation_id;
}

const write = (uuid: string, message: string, about: object = {}) =>
  post(`/api/conversations/${uuid}/messages`, { message }, about);
const read = async (uuid: string) =>
  (await live.ask(`/api/conversations/${uuid}`)).body as {
    history: { role: string; content: string }[];
    [field: string]: unknown;
  };
const contentsOf = async (uuid: string) => (await read(uuid)).history.map(({ content }) => content);

const selectDeliveries = statement<{ payload: Record<string, unknown>; url: string }>(
  '',
  `select payload, url from deliveries where target = 'conversation' and assistant_id = $1 order by created_at`,
);
const deliveriesOf = (assistantId: number) => live.core.db.query(selectDeliveries, [assistantId]);
const setTimes = statement(
  '',
  `update written_conversations set inactive_at = now() - interval '1 second' where uuid = $1`,
);
const endByInactivity = async (uuid: string) => {
  await live.core.db.query(setTimes, [uuid]);
  await endInactiveConversations(live.core);
};

test('a reply of a model with characters that cannot be stored', async () => {
  const uuid = await begin(await makeAssistant());
  respond = saying('At\0nine \uD83D.', { variables: { day: 'Mon\0', ['\uD83D']: 1 } });
  expect((await write(uuid, 'When do you open?')).status).toBe(200);
  expect((await contentsOf(uuid)).at(-1)).toBe('At\uFFFDnine \uFFFD.');
});

test('a conversation begins with the words of the assistant, and the server keeps the messages', async () => {
  const assistantId = await makeAssistant();
  const begun = await post('/api/conversations', {
    assistant_id: String(assistantId),
    type: 'test',
    variables: { name: 'Ada' },
  });
  const { conversation_id: uuid, history } = begun.body as Begun;
  expect(history).toMatchObject([{ role: 'assistant', content: 'Hello.' }]);
  respond = saying('At nine.', { tool_calls: [TOOL] });
  expect(await write(uuid, 'When do you open?')).toMatchObject({
    status: 200,
    body: { status: true, message: 'At nine.', function_calls: [TOOL], ai_disabled: false, is_ended: false },
  });
  expect(asked[1]).toMatchObject({
    messages: [
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'When do you open?' },
    ],
    variables: { name: 'Ada' },
    run_tools: true,
  });
  expect(await read(uuid)).toMatchObject({
    id: uuid,
    type: 'test',
    status: true,
    state: 'open',
    assistant_id: assistantId,
    message_count: 3,
    ai_enabled: true,
    history: [{ role: 'assistant' }, { role: 'user' }, { role: 'assistant', content: 'At nine.' }],
  });
});

test('the costs of all replies are added, also of one that was dropped', async () => {
  const uuid = await begin(await makeAssistant());
  await write(uuid, 'Hi');
  expect(await read(uuid)).toMatchObject({ total_cost: 0.5, are_costs_complete: true });
  respond = saying('');
  expect((await write(uuid, 'Are you there?')).status).toBe(503);
  respond = saying('Yes.', { total_cost: 0.1, are_costs_complete: false });
  await write(uuid, 'Are you there?');
  expect(await read(uuid)).toMatchObject({ total_cost: 0.85, are_costs_complete: false });
  const { body } = await live.ask('/api/user/conversations');
  expect((body as { data: unknown[] }).data[0]).toMatchObject({ id: uuid, total_cost: 0.85 });
});

test('an assistant is named by its uuid too, and the list is read by filters and on from a cursor', async () => {
  const assistantId = await makeAssistant();
  const record = (await live.ask(`/api/user/assistant/${assistantId}`)).body as { uuid: string };
  const first = await begin(record.uuid);
  const second = await begin(assistantId, { type: 'test' });
  const reply = { assistant_id: assistantId, customer_identifier: '+1 202 555 0143', message: 'Hi' };
  const third = (await post('/api/ai/generate-reply', reply)).body as Begun;
  const list = async (query: string) => {
    const answer = await live.ask(`/api/user/conversations?assistant_id=${assistantId}&${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { data: { id: string; message_count: number }[]; next_cursor: string | null };
  };
  const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);
  expect(await ids('')).toEqual([third.conversation_id, second, first]);
  expect((await list('')).data.map(({ message_count }) => message_count)).toEqual([2, 1, 1]);
  expect(await ids('type=widget')).toEqual([first]);
  expect(await ids('customer_phone=%2B12025550143')).toEqual([third.conversation_id]);
  expect(await ids('customer_phone=555')).toEqual([]);
  expect(await ids('external_identifier=%2B1+202+555+0143')).toEqual([third.conversation_id]);
  const page = await list('per_page=2');
  expect(page.data).toHaveLength(2);
  expect(await ids(`per_page=2&cursor=${page.next_cursor}`)).toEqual([first]);
  expect((await live.ask('/api/user/conversations?type=whatsapp')).status).toBe(422);
});

test('a customer has one conversation with an assistant, also when two first messages come at once', async () => {
  const assistantId = await makeAssistant();
  const ask = (message: string, variables: object = {}) =>
    post('/api/ai/generate-reply', {
      assistant_id: assistantId,
      customer_identifier: 'crm-7',
      message,
      variables,
    });
  const answers = await Promise.all([ask('One'), ask('Two')]);
  for (const { status, headers } of answers.filter((answer) => answer.status !== 200)) {
    expect(status).toBe(409);
    expect(headers.get('retry-after')).toBe('2');
    expect(headers.get('x-error-code')).toBe('reply_in_progress');
  }
  const first = answers.find(({ status }) => status === 200)?.body as Begun & { reply: string };
  expect(first).toMatchObject({ success: true, customer_identifier: 'crm-7', reply: 'Hello.' });
  expect(await ask('Three', { plan: 'gold' })).toMatchObject({
    body: { conversation_id: first.conversation_id },
  });
  expect(await ask('Four', { name: 'Ada' })).toMatchObject({ status: 200 });
  expect(asked.at(-1)).toMatchObject({ variables: { plan: 'gold', name: 'Ada' } });
  const listed = await live.ask('/api/user/conversations?external_identifier=crm-7');
  expect((listed.body as { data: unknown[] }).data).toHaveLength(1);
});

describe('a reply that is being prepared', () => {
  /** @returns a model whose reply waits until the test releases it */
  function slowModel(reply: string) {
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    respond = async (response) => {
      begun.resolve();
      await go.promise;
      saying(reply)(response);
    };
    return { begun: begun.promise, go: () => go.resolve() };
  }
  const expireLease = statement(
    '',
    `update written_conversations set reply_lease_until = now() - interval '1 second' where uuid = $1`,
  );

  test('refuses a second message, which is not stored', async () => {
    const uuid = await begin(await makeAssistant());
    const model = slowModel('Done.');
    const first = write(uuid, 'First');
    await model.begun;
    const second = await write(uuid, 'Second');
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '2']);
    model.go();
    expect(await first).toMatchObject({ status: 200, body: { message: 'Done.' } });
    expect(await contentsOf(uuid)).toEqual(['Hello.', 'First', 'Done.']);
  });

  test('is taken over when its lease has expired, and its late reply is dropped', async () => {
    const uuid = await begin(await makeAssistant());
    const model = slowModel('Too late.');
    const first = write(uuid, 'First');
    await model.begun;
    await live.core.db.query(expireLease, [uuid]);
    respond = saying('In time.');
    expect(await write(uuid, 'First')).toMatchObject({ status: 200, body: { message: 'In time.' } });
    model.go();
    expect((await first).status).toBe(409);
    expect(await contentsOf(uuid)).toEqual(['Hello.', 'First', 'In time.']);
  });

  test('is dropped when the assistant is switched off meanwhile', async () => {
    const uuid = await begin(await makeAssistant());
    const model = slowModel('Unwanted.');
    const first = write(uuid, 'First');
    await model.begun;
    expect((await post(`/api/automate/conversations/${uuid}/disable-ai`)).body).toEqual({
      status: true,
      ai_enabled: false,
    });
    model.go();
    expect(await first).toMatchObject({ status: 200, body: { message: '', ai_disabled: true } });
    expect(await contentsOf(uuid)).toEqual(['Hello.', 'First']);
  });

  test('does not survive the erasure of its conversation', async () => {
    const assistantId = await makeAssistant();
    const customer = { assistant_id: assistantId, customer_identifier: '+12025550144' };
    const model = slowModel('A reply that is dropped.');
    const first = post('/api/ai/generate-reply', { ...customer, message: 'Hi' });
    await model.begun;
    await post('/api/user/people/erase', { phone_number: '+12025550144' });
    model.go();
    expect((await first).status).toBe(409);
  });
});

test.each([
  ['fails', answering(502, { message: 'The model failed.' }), 'The model failed.'],
  ['answers nothing', saying('  '), 'The model gave no reply.'],
])('a model that %s leaves the message, which the same request answers later', async (_, fault, message) => {
  const uuid = await begin(await makeAssistant());
  respond = fault;
  expect(await write(uuid, 'Hi')).toMatchObject({ status: 503, body: { message } });
  expect(await contentsOf(uuid)).toEqual(['Hello.', 'Hi']);
  respond = saying('Hello again.');
  expect(await write(uuid, 'Hi')).toMatchObject({ status: 200, body: { message: 'Hello again.' } });
  expect(await contentsOf(uuid)).toEqual(['Hello.', 'Hi', 'Hello again.']);
});

test('a request that is repeated with its key is one message with one answer, also after a crash', async () => {
  const uuid = await begin(await makeAssistant());
  const headers = { 'idempotency-key': 'written-1' };
  respond = answering(502, { message: 'The model failed.' });
  expect((await write(uuid, 'Hi', { headers })).status).toBe(503);
  respond = saying('Once.');
  expect(await write(uuid, 'Hi', { headers })).toMatchObject({ body: { message: 'Once.' } });
  // The process was killed before it could keep the answer.
  await live.core.db.query(statement('', `delete from idempotency_keys where key = 'written-1'`));
  expect(await write(uuid, 'Hi', { headers })).toMatchObject({ body: { message: 'Once.' } });
  expect(await contentsOf(uuid)).toEqual(['Hello.', 'Hi', 'Once.']);
  expect(asked).toHaveLength(3);
});

test('while the assistant is off, messages are stored and not answered; later it reads them', async () => {
  const uuid = await begin(await makeAssistant());
  const switchAi = (to: string) => post(`/api/automate/conversations/${uuid}/${to}-ai`);
  await switchAi('disable');
  for (const message of ['Are you there?', 'Are you there?'])
    expect(await write(uuid, message)).toMatchObject({ body: { message: '', ai_disabled: true } });
  expect(asked).toHaveLength(1);
  expect(await read(uuid)).toMatchObject({ ai_enabled: false, message_count: 3 });
  expect((await switchAi('enable')).body).toEqual({ status: true, ai_enabled: true });
  await write(uuid, 'And now?');
  expect(asked.at(-1)?.messages.map(({ content }) => content)).toEqual([
    'Hello.',
    'Are you there?',
    'Are you there?',
    'And now?',
  ]);
});

describe('the end of a conversation', () => {
  const switched = { conversation_ended_webhook_url: WEBHOOK };

  test('by the assistant is reported once, with what was written', async () => {
    const assistantId = await makeAssistant(switched);
    const uuid = await begin(assistantId, { variables: { name: 'Ada' } });
    respond = saying('Goodbye.', { is_ended: true, variables: { day: 'Monday' } });
    expect(await write(uuid, 'Bye')).toMatchObject({ body: { is_ended: true } });
    await endByInactivity(uuid);
    const deliveries = await deliveriesOf(assistantId);
    expect(deliveries).toMatchObject([
      {
        url: WEBHOOK,
        payload: {
          event: 'conversation.ended',
          conversation_id: uuid,
          type: 'widget',
          assistant_id: assistantId,
          ended_reason: 'assistant_ended',
          extracted_variables: { day: 'Monday' },
          input_variables: { name: 'Ada' },
          // As a client of the API family reads it.
          status: 'ended',
          message_count: 3,
          customer_name: 'Ada',
          sender: null,
          transcript: [
            { role: 'assistant', content: 'Hello.', timestamp: expect.any(String) as string },
            { role: 'user', content: 'Bye', timestamp_unix: expect.any(Number) as number },
            { role: 'assistant', content: 'Goodbye.' },
          ],
          formatted_transcript: 'AI: Hello.\nCustomer: Bye\nAI: Goodbye.',
        },
      },
    ]);
    expect(await read(uuid)).toMatchObject({ state: 'ended', ended_reason: 'assistant_ended' });
    const log = await live.ask('/api/user/webhook-deliveries?event=conversation.ended');
    expect((log.body as { data: unknown[] }).data).toMatchObject([{ target: 'conversation', call_id: null }]);
  });

  test.each([
    [false, 1],
    [true, 2],
  ])('with retrigger %s, a reopened conversation is reported %i times', async (retrigger, times) => {
    const assistantId = await makeAssistant({ ...switched, conversation_ended_retrigger: retrigger });
    const uuid = await begin(assistantId);
    await write(uuid, 'Hi');
    await endByInactivity(uuid);
    await Promise.all([endByInactivity(uuid), endByInactivity(uuid)]);
    expect(await deliveriesOf(assistantId)).toHaveLength(1);
    await write(uuid, 'One more thing');
    expect(await read(uuid)).toMatchObject({ state: 'open', ended_reason: null, ended_at: null });
    await endByInactivity(uuid);
    expect(await deliveriesOf(assistantId)).toHaveLength(times);
    expect(await read(uuid)).toMatchObject({ state: 'ended', ended_reason: 'inactivity' });
  });

  test('is not reported where the customer has written nothing, nor when the webhook is off', async () => {
    const assistantId = await makeAssistant(switched);
    await endByInactivity(await begin(assistantId));
    await post('/api/user/assistants/disable-conversation-ended-webhook', { assistant_id: assistantId });
    const uuid = await begin(assistantId);
    await write(uuid, 'Hi');
    await endByInactivity(uuid);
    expect(await read(uuid)).toMatchObject({ state: 'ended' });
    expect(await deliveriesOf(assistantId)).toEqual([]);
  });

  test('comes after the timeout of the assistant, counted from the last message', async () => {
    const uuid = await begin(await makeAssistant({ conversation_inactivity_timeout: 5 }));
    await live.core.db.query(setTimes, [uuid]);
    await write(uuid, 'Hi');
    await endInactiveConversations(live.core);
    expect(await read(uuid)).toMatchObject({ state: 'open' });
    const later = { ...live.core, clock: { ...live.core.clock, now: () => Date.now() + 301_000 } };
    await endInactiveConversations(later);
    expect(await read(uuid)).toMatchObject({ state: 'ended' });
  });
});

test('the switches set and remove the address, and the settings of an assistant are read and changed', async () => {
  const assistantId = await makeAssistant();
  const path = `/api/user/assistant/${assistantId}`;
  const settings = async () => (await live.ask(path)).body;
  expect(await settings()).toMatchObject({
    conversation_ended_webhook_url: null,
    conversation_inactivity_timeout: 30,
    conversation_ended_retrigger: false,
  });
  const enable = { assistant_id: assistantId, webhook_url: WEBHOOK };
  expect((await post('/api/user/assistants/enable-conversation-ended-webhook', enable)).body).toEqual({
    message: 'Conversation ended webhook enabled successfully',
    data: [],
  });
  const changes = { conversation_inactivity_timeout: 60, conversation_ended_retrigger: true };
  expect((await live.ask(path, { method: 'PUT', body: changes })).status).toBe(200);
  expect(await settings()).toMatchObject({ conversation_ended_webhook_url: WEBHOOK, ...changes });
  const tooLong = { conversation_inactivity_timeout: 10_081 };
  expect((await live.ask(path, { method: 'PUT', body: tooLong })).status).toBe(422);
});

test('a conversation of another user is not found, and nothing is stored', async () => {
  const assistantId = await makeAssistant();
  const uuid = await begin(assistantId);
  const { token } = await live.addUser('Stranger');
  const refused = await Promise.all([
    live.ask(`/api/conversations/${uuid}`, { token }),
    write(uuid, 'Hi', { token }),
    post(`/api/automate/conversations/${uuid}/disable-ai`, {}, { token }),
    post('/api/conversations', { assistant_id: assistantId }, { token }),
    post(
      '/api/ai/generate-reply',
      { assistant_id: assistantId, customer_identifier: 'a', message: 'Hi' },
      { token },
    ),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  const listed = await live.ask('/api/user/conversations', { token });
  expect((listed.body as { data: unknown[] }).data).toEqual([]);
  expect(await read(uuid)).toMatchObject({ ai_enabled: true, message_count: 1 });
  const { token: reader } = await live.addUser('Reader', ['read']);
  expect((await write(uuid, 'Hi', { token: reader })).status).toBe(403);
});

test('what the assistant redacts is not stored, and the model reads the new message as it was sent', async () => {
  const uuid = await begin(await makeAssistant({ redact: ['card_number'] }));
  respond = saying('I see 4111 1111 1111 1111.');
  await write(uuid, 'My card is 4111 1111');
  expect(await write(uuid, '1111 1111')).toMatchObject({
    body: { message: 'I see 4111 1111 1111 1111.' },
  });
  expect(asked.at(-1)?.messages.at(-1)?.content).toBe('1111 1111');
  const stored = (await contentsOf(uuid)).join('\n');
  expect(stored).toContain('[card number]');
  expect(stored).not.toMatch(/1111/);
});

test('a person is erased with their conversations and the webhooks of these', async () => {
  const assistantId = await makeAssistant({ conversation_ended_webhook_url: WEBHOOK });
  const customer = { assistant_id: assistantId, customer_identifier: '(202) 555-0145'.replace('(', '+1 (') };
  const made = (await post('/api/ai/generate-reply', { ...customer, message: 'Hi' })).body as Begun;
  await endByInactivity(made.conversation_id);
  const other = await begin(assistantId);
  expect(await deliveriesOf(assistantId)).toHaveLength(1);
  const erased = await post('/api/user/people/erase', { phone_number: '+12025550145' });
  expect(erased.body).toMatchObject({ data: { conversations: 1, webhook_deliveries: 1 } });
  expect((await live.ask(`/api/conversations/${made.conversation_id}`)).status).toBe(404);
  expect(await deliveriesOf(assistantId)).toEqual([]);
  expect((await live.ask(`/api/conversations/${other}`)).status).toBe(200);
});

test('old messages and ended conversations are removed with the transcripts', async () => {
  const assistantId = await makeAssistant();
  const uuid = await begin(assistantId);
  await write(uuid, 'Hi');
  await endByInactivity(uuid);
  const customer = { assistant_id: assistantId, customer_identifier: '+12025550146', message: 'Hi' };
  const { conversation_id: open } = (await post('/api/ai/generate-reply', customer)).body as Begun;
  const later = { ...live.core, clock: { ...live.core.clock, now: () => Date.now() + 3 * 86_400_000 } };
  const kept = { recordings: 0, transcripts: 0, callNumbers: 0, deliveries: 0, sipTraces: 0 };
  const forever = { ...kept, auditEntries: 0, apiRequests: 0, consents: 0 };
  await removeExpiredData(later, forever);
  expect(await contentsOf(uuid)).toHaveLength(3);
  await removeExpiredData(later, { ...forever, transcripts: 2, callNumbers: 2 });
  expect((await live.ask(`/api/conversations/${uuid}`)).status).toBe(404);
  expect(await read(open)).toMatchObject({ external_identifier: null, customer_phone: null, history: [] });
});

test('an assistant that was deleted answers no more', async () => {
  const assistantId = await makeAssistant();
  const uuid = await begin(assistantId);
  await live.ask(`/api/user/assistant/${assistantId}`, { method: 'DELETE', body: {} });
  expect((await write(uuid, 'Hi')).status).toBe(409);
  expect(await contentsOf(uuid)).toEqual(['Hello.']);
});
