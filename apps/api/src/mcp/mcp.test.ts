/** The MCP server with the SDK's own client, over HTTP, against the real api and database. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { listTrunks } from '@parley/core';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { makeAdministration } from '../../test/administration.ts';
import { routeOf } from './call-endpoint.ts';
import { ENDPOINT_TOOLS } from './tool-table.ts';

const database = useTestDatabase();
let live: LiveApi;
let agent: Client;
const clients: Client[] = [];

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  await makeAdministration(live);
  agent = await connect(live.token);
});
afterAll(async () => {
  await Promise.all(clients.map(async (client) => client.close()));
  await live.stop();
});

async function connect(token: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${token}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', live.url), { requestInit }));
  clients.push(client);
  return client;
}

interface Told {
  isError: boolean;
  text: string;
  json: () => Record<string, unknown>;
}

async function use(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Told> {
  const { content, isError = false } = await client.callTool({ name, arguments: input });
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  return { isError, text, json: () => JSON.parse(text) as Record<string, unknown> };
}

describe('the tools', () => {
  test('are listed with a description and an object as input', async () => {
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...Object.keys(ENDPOINT_TOOLS), 'preview_call', 'wait_for_call']),
    );
    for (const { description = '', inputSchema } of tools) {
      expect(description.length).toBeGreaterThan(10);
      expect(inputSchema.type).toBe('object');
      expect(JSON.stringify(inputSchema)).not.toContain('#/components/');
    }
    const makeCall = tools.find(({ name }) => name === 'make_call');
    expect(makeCall?.inputSchema.required).toEqual(
      expect.arrayContaining(['phone_number', 'assistant_id']) as string[],
    );
    const update = tools.find(({ name }) => name === 'update_assistant');
    expect(Object.keys(update?.inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining(['id', 'system_prompt']) as string[],
    );
  });

  test.each(Object.values(ENDPOINT_TOOLS).map(({ operation }) => operation))(
    '%s is an endpoint of the contract',
    (operation) => expect(routeOf(operation).route.path).toMatch(/^\/api\//),
  );

  test('create, change and read an assistant, like the REST API', async () => {
    const created = await use(agent, 'create_assistant', newAssistant({ assistant_name: 'By an agent' }));
    const { id } = created.json()['data'] as { id: number };
    const changed = await use(agent, 'update_assistant', { id, system_prompt: 'Be brief.' });
    expect(changed.isError).toBe(false);
    const { body } = await live.ask(`/api/user/assistant/${id}`);
    expect(body).toMatchObject({ name: 'By an agent', system_prompt: 'Be brief.' });
    expect((await use(agent, 'get_assistant', { id })).json()).toEqual(body);
    const { body: log } = await live.ask('/api/user/audit-log?operation=assistants.update');
    expect((log as { data: unknown[] }).data).toHaveLength(1);
  });

  test('preview a call without placing it, and say why one is refused', async () => {
    const [trunk] = await listTrunks(live.core, await operator());
    expect(trunk).toBeDefined();
    const { body } = await live.ask('/api/user/assistants/outbound');
    const assistant_id = (body as { id: number }[])[0]?.id ?? 0;
    const before = await callCount();
    const refused = await use(agent, 'preview_call', { phone_number: 'x', assistant_id });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.json()).toMatchObject({ errors: { phone_number: ['Invalid phone number'] } });
    const missing = await use(agent, 'preview_call', { phone_number: '+12025550142', assistant_id: 0 });
    expect(missing.isError).toBe(true);
    expect(await callCount()).toBe(before);
  });

  test('answer errors in the words of the API, with their code', async () => {
    const missing = await use(agent, 'get_call', { id: 999_999 });
    expect(missing).toMatchObject({ isError: true });
    expect(missing.json()).toMatchObject({ code: 'not_found' });
    const invalid = await use(agent, 'create_lead', { phone_number: '+12025550142' });
    expect(invalid.json()).toMatchObject({
      code: 'validation_failed',
      errors: { campaign_id: [expect.any(String)] },
    });
    expect(await use(agent, 'wait_for_call', { call_id: 999_999 })).toMatchObject({ isError: true });
    expect(await use(agent, 'no_such_tool')).toMatchObject({ isError: true });
    expect(await use(agent, 'constructor')).toMatchObject({ isError: true });
    const unstorable = await use(agent, 'create_lead', { campaign_id: 1, phone_number: 'a\u0000b' });
    expect(unstorable.isError).toBe(true);
  });

  test('list leads page by page', async () => {
    const listed = await use(agent, 'list_leads', { per_page: 2 });
    expect(listed.json()).toMatchObject({ current_page: 1, per_page: 2 });
  });
});

async function operator() {
  const { body } = await live.ask('/api/user/users');
  const [first] = body as { id: number }[];
  return { userId: first?.id ?? 0, role: 'operator', scopes: 'all', tokenId: null, timezone: 'UTC' } as const;
}

async function callCount(): Promise<number> {
  const { body } = await live.ask('/api/user/calls');
  return (body as { total: number }).total;
}

describe('a model that tries to overstep', () => {
  test('has no more scopes than its token', async () => {
    const { token } = await live.addUser('Reader', ['read']);
    const reader = await connect(token);
    expect(await use(reader, 'list_calls')).toMatchObject({ isError: false });
    const placing = await use(reader, 'make_call', { phone_number: '+12025550142', assistant_id: 1 });
    expect(placing.json()).toMatchObject({ code: 'missing_scope' });
    const creating = await use(reader, 'create_assistant', newAssistant());
    expect(creating.json()).toMatchObject({ code: 'missing_scope' });
    const previewing = await use(reader, 'preview_call', { phone_number: '+12025550142', assistant_id: 1 });
    expect(previewing.json()).toMatchObject({ code: 'missing_scope' });
  });

  test('does not reach what belongs to another account', async () => {
    const { token } = await live.addUser('Stranger');
    const stranger = await connect(token);
    const { body } = await live.ask('/api/user/assistants/outbound');
    const id = (body as { id: number }[])[0]?.id ?? 0;
    expect((await use(stranger, 'get_assistant', { id })).json()).toMatchObject({ code: 'not_found' });
    const changing = await use(stranger, 'update_assistant', { id, system_prompt: 'Obey me.' });
    expect(changing.json()).toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['without a token', { authorization: '' }, 401],
    ['with a wrong token', { authorization: 'Bearer wrong' }, 401],
    ['from a page of another site', { origin: 'https://evil.example' }, 403],
  ])('is refused %s', async (_name, headers, status) => {
    const answer = await fetch(new URL('/mcp', live.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${live.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    expect(answer.status).toBe(status);
  });
});
