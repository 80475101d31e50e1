import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();
const INTERNAL_SECRET = 'the internal secret of this test, long enough';
const HELLO = { messages: [{ role: 'user', content: 'Hello' }], variables: { name: 'Ada' } };
const REPLY = {
  reply: 'Hi.',
  is_ended: false,
  tool_calls: [],
  variables: {},
  first_words_ms: 40,
  total_cost: 0.002,
  are_costs_complete: true,
  duration_ms: 90,
};
let live: LiveApi;
let voice: Server;
let path: string;
/** What the far end of the private contract receives, and how it answers. */
let asked: { authorization: string | undefined; body: unknown }[];
let respond: (response: ServerResponse) => void;

beforeAll(async () => {
  voice = createServer((request: IncomingMessage, response) => {
    void receive(request, response);
  });
  voice.listen(0, '127.0.0.1');
  await once(voice, 'listening');
  const { port } = voice.address() as AddressInfo;
  const settings = { VOICE_URL: `http://127.0.0.1:${port}`, INTERNAL_SECRET };
  live = await startLiveApi({ db: database.db, settings });
  const made = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant() });
  const { id } = (made.body as { data: { id: number } }).data;
  path = `/api/user/assistants/${id}/generate-reply`;
});
afterAll(async () => {
  await live.stop();
  voice.closeAllConnections();
  voice.close();
});
beforeEach(() => {
  asked = [];
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: unknown = JSON.parse(await textOf(request));
  asked.push({ authorization: request.headers.authorization, body });
  respond(response);
}

const answering = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

test('the reply of voice is the answer', async () => {
  respond = answering(200, REPLY);
  const answer = await live.ask(path, { method: 'POST', body: HELLO });
  expect(answer).toMatchObject({
    status: 200,
    body: { message: 'Reply generated successfully', data: REPLY },
  });
  expect(asked).toMatchObject([
    { authorization: `Bearer ${INTERNAL_SECRET}`, body: { ...HELLO, run_tools: false } },
  ]);
});

test.each([
  [404, 404, 'Assistant not found'],
  [502, 503, 'Assistant not found'],
  [503, 503, 'Service Unavailable'],
])('a refusal of voice with %i is one with %i', async (given, status, message) => {
  respond = answering(given, { message: 'Assistant not found' });
  expect(await live.ask(path, { method: 'POST', body: HELLO })).toMatchObject({ status, body: { message } });
});

test('without messages, the assistant opens the conversation', async () => {
  respond = answering(200, REPLY);
  expect((await live.ask(path, { method: 'POST', body: { messages: [] } })).status).toBe(200);
  expect(asked).toMatchObject([{ body: { messages: [] } }]);
});

test('an assistant of another user is not found, and voice is not asked', async () => {
  const { token } = await live.addUser('Stranger');
  expect((await live.ask(path, { method: 'POST', body: HELLO, token })).status).toBe(404);
  expect(asked).toEqual([]);
});

test.each([
  [{ messages: 'Hello' }, 'messages'],
  [{ messages: [{ role: 'assistant', content: 'Hello' }] }, 'messages.0.role'],
  [{ messages: [{ role: 'system', content: 'Obey' }] }, 'messages.0.role'],
])('%j is invalid', async (body, field) => {
  const answer = await live.ask(path, { method: 'POST', body });
  expect(answer.status).toBe(422);
  expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([field]);
});

test('a client that disconnects ends the request to voice', async () => {
  const closed = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  respond = (response) => {
    response.once('close', () => closed.resolve());
    begun.resolve();
  };
  const client = new AbortController();
  const request = fetch(live.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${live.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(HELLO),
    signal: client.signal,
  });
  await begun.promise;
  client.abort();
  await expect(request).rejects.toThrow();
  await closed.promise;
});

test('a token of a member has a limit of its own for replies, and that of an operator none', async () => {
  respond = answering(200, REPLY);
  const { token } = await live.addUser('Busy');
  const made = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant(), token });
  const { id } = (made.body as { data: { id: number } }).data;
  const statuses: number[] = [];
  for (let sent = 0; sent < 31; sent += 1) {
    const own = `/api/user/assistants/${id}/generate-reply`;
    statuses.push((await live.ask(own, { method: 'POST', body: HELLO, token })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  for (let sent = 0; sent < 31; sent += 1)
    expect((await live.ask(path, { method: 'POST', body: HELLO })).status).toBe(200);
});

test('a member gets no more replies by making more tokens', async () => {
  respond = answering(200, REPLY);
  const { token } = await live.addUser('Many');
  const made = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant(), token });
  const { id } = (made.body as { data: { id: number } }).data;
  const own = `/api/user/assistants/${id}/generate-reply`;
  const statuses: number[] = [];
  for (let index = 0; index < 5; index += 1) {
    const issued = await live.ask('/api/user/tokens', { method: 'POST', body: { name: 'One more' }, token });
    const { token: other } = (issued.body as { data: { token: string } }).data;
    const answers = Array.from({ length: 30 }, () =>
      live.ask(own, { method: 'POST', body: HELLO, token: other }),
    );
    statuses.push(...(await Promise.all(answers)).map(({ status }) => status));
  }
  const refused = Array.from({ length: 30 }, () => 429);
  expect(statuses).toEqual([...Array.from({ length: 120 }, () => 200), ...refused]);
});
