/** What an agent could do with many requests at once, against two api processes with one database. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { issueToken, placeCall, recordCallEvent, revokeToken, type Identity } from '@parley/core';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAdministration } from '../../test/administration.ts';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();
let apis: LiveApi[];
let live: LiveApi;
let owner: Identity;
let assistantId: number;
const clients: Client[] = [];

beforeAll(async () => {
  apis = [await startLiveApi({ db: database.db }), await startLiveApi({ db: database.db })];
  live = apis[0] ?? expect.unreachable();
  await makeAdministration(live);
  const users = (await live.ask('/api/user/users')).body as { id: number; email: string }[];
  const userId = users.find(({ email }) => email === live.email)?.id ?? 0;
  owner = { userId, role: 'operator', scopes: 'all', tokenId: null, timezone: 'UTC' };
  const assistants = (await live.ask('/api/user/assistants')).body as { id: number; type: string }[];
  assistantId = assistants.find(({ type }) => type === 'outbound')?.id ?? 0;
});

afterAll(async () => {
  await Promise.all(clients.map(async (client) => client.close()));
  await Promise.all(apis.map(async (api) => api.stop()));
});

async function connect(token: string, api = live): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', api.url), { requestInit }));
  clients.push(client);
  return client;
}

interface Told {
  isError: boolean;
  text: string;
}

async function use(client: Client, name: string, input: Record<string, unknown>): Promise<Told> {
  const { content, isError = false } = await client.callTool({ name, arguments: input });
  const [first] = content;
  return { isError, text: first?.type === 'text' ? first.text : '' };
}

/** A call that goes on until the test ends it. */
async function place(phoneNumber: string): Promise<number> {
  return (await placeCall(live.core, owner, { phoneNumber, assistantId })).callId;
}

test('of fifty uses of one confirmation code at both processes, one acts', async () => {
  const { token } = await issueToken(live.core, owner, { name: 'Agent', requires_confirmation: true });
  const both = await Promise.all(apis.map(async (api) => connect(token ?? '', api)));
  const draft = newAssistant({ assistant_name: 'Raced' });
  const asked = await use(both[0] ?? expect.unreachable(), 'create_assistant', draft);
  const { confirmation_code } = JSON.parse(asked.text) as { confirmation_code: string };
  const uses = Array.from({ length: 50 }, async (_, index) =>
    use(both[index % 2] ?? expect.unreachable(), 'create_assistant', { ...draft, confirmation_code }),
  );
  const done = (await Promise.all(uses)).filter(({ isError }) => !isError);
  expect(done).toHaveLength(1);
  const assistants = (await live.ask('/api/user/assistants')).body as { name: string }[];
  expect(assistants.filter(({ name }) => name === 'Raced')).toHaveLength(1);
});

test('there are no sessions that an agent could open', async () => {
  const headers = { accept: 'text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  expect((await live.ask('/mcp', { headers })).status).toBe(405);
  const begin = await live.ask('/mcp', {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    },
  });
  expect([begin.status, begin.headers.get('mcp-session-id')]).toEqual([200, null]);
});

/** Where the library describes every fault of a message. */
const initialize = (params: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},${params}}}`;
const listLeads = (input: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_leads","arguments":${input}}}`;

test.each([
  ['ten thousand items', initialize(`"clientInfo":[${'0,'.repeat(10_000)}0]`), 413],
  ['ten thousand arguments', listLeads(`{"a":[${'0,'.repeat(10_000)}0]}`), 413],
  ['hundreds of faults', initialize(`"clientInfo":{"icons":[${'{},'.repeat(150)}0]}`), 413],
  ['a fault at a long name', initialize(`"clientInfo":{"${'x'.repeat(20_000)}":0}`), 413],
  ['arguments nested deeply', listLeads(`{"a":${'['.repeat(9000)}${']'.repeat(9000)}}`), 422],
])('a message with %s is refused with a short answer', async (_what, body, status) => {
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  const answer = await live.ask('/mcp', { method: 'POST', headers, body });
  expect(answer).toMatchObject({ status, body: { message: expect.any(String) as string } });
  expect(answer.text.length).toBeLessThan(200);
});

test('a token and a user have a limit of waits, and a token that is revoked meanwhile gets no transcript', async () => {
  const callId = await place('+12025550171');
  const tokens = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => issueToken(live.core, owner, { name: `Agent ${index}` })),
  );
  const agents = await Promise.all(tokens.map(async ({ token }) => connect(token ?? '')));
  const wait = (agent: Client, seconds: number): Promise<Told> =>
    use(agent, 'wait_for_call', { call_id: callId, seconds });
  const waits = agents.slice(0, 5).flatMap((agent) => Array.from({ length: 5 }, () => wait(agent, 50)));
  const refused = { isError: true, text: expect.stringContaining('which is the limit') as string };
  const [first, last] = [agents[0] ?? expect.unreachable(), agents[5] ?? expect.unreachable()];
  await expect.poll(async () => wait(last, 1), { timeout: 20_000 }).toMatchObject(refused);
  expect(await wait(first, 1)).toMatchObject(refused);
  await revokeToken(live.core, owner, tokens[0]?.id ?? 0);
  await recordCallEvent(live.core, { callId, event: 'failed', at: new Date(live.core.clock.now()) });
  const answers = await Promise.all(waits);
  expect(answers.map(({ isError }) => isError)).toEqual([
    ...Array<boolean>(5).fill(true),
    ...Array<boolean>(20).fill(false),
  ]);
  for (const { text } of answers.slice(0, 5)) expect(text).not.toContain('transcript');
  expect(await wait(last, 1)).toMatchObject({ isError: false });
});
