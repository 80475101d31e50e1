/** The MCP server with the SDK's own client, over HTTP, against the real api and database. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { issueToken, listTrunks } from '@parley/core';
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

test('a request has one message, so that the rate limit counts each', async () => {
  const send = (messages: object[]) =>
    live.ask('/mcp', {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream' },
      body: messages,
    });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_voices' } };
  const refused = { status: 422, body: { message: 'Send one message in a request.' } };
  expect(await send([message, { ...message, id: 2 }])).toMatchObject(refused);
  expect(await send([])).toMatchObject(refused);
  expect((await send([message])).status).toBe(200);
});

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
    const waits: [object, object][] = [
      [{ call_id: '999999' }, { code: 'not_found' }],
      [{ id: 1 }, { errors: { call_id: ['The call id field is required.'] } }],
      [{ call_id: 1, seconds: 51 }, { errors: { seconds: ['The seconds must be between 1 and 50.'] } }],
    ];
    for (const [input, expected] of waits) {
      const answer = await use(agent, 'wait_for_call', input as Record<string, unknown>);
      expect(answer.isError).toBe(true);
      expect(answer.json()).toMatchObject(expected);
    }
    expect(await use(agent, 'no_such_tool')).toMatchObject({ isError: true });
    expect(await use(agent, 'constructor')).toMatchObject({ isError: true });
    const unstorable = await use(agent, 'create_lead', { campaign_id: 1, phone_number: 'a\u0000b' });
    expect(unstorable.isError).toBe(true);
  });

  test('list leads page by page', async () => {
    const listed = await use(agent, 'list_leads', { per_page: 2 });
    expect(listed.json()).toMatchObject({ current_page: 1, per_page: 2 });
    expect(listed.json()).toHaveProperty(
      'first_page_url',
      expect.stringMatching(/\/api\/user\/leads\?per_page=2&page=1$/),
    );
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

describe('a token that requires confirmation', () => {
  async function confirming() {
    const owner = await operator();
    const issued = await issueToken(live.core, owner, { name: 'Agent', requires_confirmation: true });
    const token = issued.token ?? '';
    return { token, client: await connect(token) };
  }
  const DRAFT = newAssistant({ assistant_name: 'Confirmed' });
  const count = async (): Promise<number> =>
    ((await live.ask('/api/user/assistants')).body as { name: string }[]).filter(
      ({ name }) => name === 'Confirmed',
    ).length;

  test('acts with the code of the same arguments, once', async () => {
    const { client } = await confirming();
    const before = await count();
    const asked = await use(client, 'create_assistant', DRAFT);
    expect(asked.json()).toMatchObject({
      confirmation_required: true,
      tool: 'create_assistant',
      arguments: { assistant_name: 'Confirmed' },
    });
    expect(await count()).toBe(before);
    const { confirmation_code } = asked.json() as { confirmation_code: string };
    // The order of the arguments does not matter.
    const reversed = Object.fromEntries(Object.entries(DRAFT).toReversed());
    expect(await use(client, 'create_assistant', { ...reversed, confirmation_code })).toMatchObject({
      isError: false,
    });
    expect(await count()).toBe(before + 1);
    const again = await use(client, 'create_assistant', { ...DRAFT, confirmation_code });
    expect(again).toMatchObject({ isError: true });
    expect(await count()).toBe(before + 1);
  });

  test('lists the argument for actions only, and reads without it', async () => {
    const { client } = await confirming();
    const { tools } = await client.listTools();
    const withCode = (name: string): boolean =>
      'confirmation_code' in (tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {});
    expect([withCode('make_call'), withCode('update_lead'), withCode('list_calls')]).toEqual([
      true,
      true,
      false,
    ]);
    expect((await use(client, 'list_calls')).json()).toHaveProperty('data');
  });

  test('says what is wrong with an action before it asks for a confirmation', async () => {
    const { client } = await confirming();
    const invalid = await use(client, 'make_call', { phone_number: 'x', assistant_id: 1 });
    expect(invalid.json()).toMatchObject({ errors: { phone_number: ['Invalid phone number'] } });
    const missing = await use(client, 'create_assistant', { assistant_name: 'No more' });
    expect(missing.json()).toMatchObject({ code: 'validation_failed' });
  });

  describe('and a client that can ask its user', () => {
    type Answer = 'accept' | 'decline' | 'cancel';
    /** A client with a user who answers; `questions` are what they read. */
    async function asking(answers: Answer | ((question: string) => Answer | Promise<Answer>)) {
      const { token } = await confirming();
      const questions: string[] = [];
      const client = new Client(
        { name: 'test', version: '1' },
        { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
      );
      client.setRequestHandler('elicitation/create', async ({ params: { message } }) => {
        questions.push(message);
        const action = typeof answers === 'string' ? answers : await answers(message);
        return { action, ...(action === 'accept' && { content: {} }) };
      });
      const requestInit = { headers: { Authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', live.url), { requestInit }));
      clients.push(client);
      return { client, questions, token };
    }

    test('acts after the user has read all arguments and agreed', async () => {
      const { client, questions } = await asking('accept');
      const before = await count();
      const created = await use(client, 'create_assistant', { ...DRAFT, system_prompt: 'Say\nyes.' });
      expect(created.json()).toMatchObject({ data: { name: 'Confirmed' } });
      expect(questions).toEqual([expect.stringContaining('"system_prompt": "Say\\nyes."')]);
      expect(questions[0]).toContain('Run create_assistant?');
      expect(await count()).toBe(before + 1);
      expect((await use(client, 'list_calls')).json()).toHaveProperty('data');
      expect(questions).toHaveLength(1);
    });

    test('says whom a call would reach, and asks nothing about one that would be refused', async () => {
      const { client, questions } = await asking('decline');
      const { body } = await live.ask('/api/user/assistants/outbound');
      const [assistant] = body as { id: number; name: string }[];
      const call = { phone_number: 'x', assistant_id: assistant?.id };
      expect((await use(client, 'make_call', call)).json()).toHaveProperty('errors.phone_number');
      expect(questions).toEqual([]);
    });

    test.each(['decline', 'cancel'] as const)('does nothing after %s', async (answer) => {
      const { client } = await asking(answer);
      const before = await count();
      const refused = await use(client, 'create_assistant', DRAFT);
      expect(refused).toMatchObject({ isError: true });
      expect(refused.text).toContain('The user has not agreed. Nothing was done.');
      expect(await count()).toBe(before);
    });

    test('shows no code to the model and takes none from it', async () => {
      const { client, questions, token } = await asking('accept');
      const { tools } = await client.listTools();
      expect(JSON.stringify(tools)).not.toContain('confirmation_code');
      // Another connection of the same token cannot ask, so that its model gets a code.
      const plain = await connect(token);
      const { confirmation_code } = (await use(plain, 'create_assistant', DRAFT)).json();
      const before = await count();
      const refused = await use(client, 'create_assistant', { ...DRAFT, confirmation_code });
      expect(refused).toMatchObject({ isError: true });
      expect([questions, await count()]).toEqual([[], before]);
    });

    test.each([
      ['other arguments', (draft: object) => ({ ...draft, system_prompt: 'Obey me.' }), 'accept'],
      ['a state that was made up', null, 'accept'],
      ['no answer', (draft: object) => draft, undefined],
    ])('is refused with %s', async (_name, change, action) => {
      const { token } = await confirming();
      const before = await count();
      const post = async (params: object): Promise<Record<string, unknown>> => {
        const answer = await live.ask('/mcp', {
          method: 'POST',
          token,
          headers: {
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': 'create_assistant',
          },
          body: {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: {
              name: 'create_assistant',
              ...params,
              _meta: {
                'io.modelcontextprotocol/protocolVersion': '2026-07-28',
                'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
                'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
              },
            },
          },
        });
        return (answer.body as { result: Record<string, unknown> }).result;
      };
      const asked = await post({ arguments: DRAFT });
      expect(asked).toMatchObject({ resultType: 'input_required' });
      const requestState = change === null ? 'A'.repeat(43) : asked['requestState'];
      const inputResponses = action === undefined ? {} : { confirmation: { action, content: {} } };
      const again = { arguments: change === null ? DRAFT : change(DRAFT), requestState, inputResponses };
      expect(await post(again)).toMatchObject({ isError: true });
      // The state is used up.
      expect(await post({ ...again, arguments: DRAFT })).toMatchObject({ isError: true });
      expect(await count()).toBe(before);
    });
  });

  test('gives a model that oversteps nothing', async () => {
    const { client, token } = await confirming();
    const other = await confirming();
    const before = await count();
    const codeFor = async (input: Record<string, unknown>, from = client): Promise<unknown> =>
      (await use(from, 'create_assistant', input)).json()['confirmation_code'];
    const oversteps: Record<string, () => Promise<Told>> = {
      'changes the arguments': async () =>
        use(client, 'create_assistant', {
          ...DRAFT,
          system_prompt: 'Obey me.',
          confirmation_code: await codeFor(DRAFT),
        }),
      'uses the code for another tool': async () =>
        use(client, 'create_lead', {
          campaign_id: 1,
          phone_number: '+12025550142',
          confirmation_code: await codeFor(DRAFT),
        }),
      'takes the code of another token': async () =>
        use(client, 'create_assistant', { ...DRAFT, confirmation_code: await codeFor(DRAFT, other.client) }),
      'guesses a code': () =>
        use(client, 'create_assistant', { ...DRAFT, confirmation_code: 'A'.repeat(43) }),
      'sends no text as a code': () => use(client, 'create_assistant', { ...DRAFT, confirmation_code: true }),
      'sends null as a code': () => use(client, 'create_assistant', { ...DRAFT, confirmation_code: null }),
    };
    for (const [name, overstep] of Object.entries(oversteps))
      expect(await overstep(), name).toMatchObject({ isError: true });
    // A code that was tried with other arguments is used up.
    const spent = await codeFor(DRAFT);
    await use(client, 'create_assistant', { ...DRAFT, system_prompt: 'Obey me.', confirmation_code: spent });
    expect(await use(client, 'create_assistant', { ...DRAFT, confirmation_code: spent })).toMatchObject({
      isError: true,
    });
    expect(await count()).toBe(before);
    const overRest = await live.ask('/api/user/assistant', { method: 'POST', token, body: DRAFT });
    expect(overRest.status).toBe(403);
    expect((await live.ask('/api/user/assistants', { token })).status).toBe(200);
    const twin = await live.ask('/api/user/tokens', { method: 'POST', token, body: { name: 'Twin' } });
    expect(twin.status).toBe(403);
    expect(await count()).toBe(before);
  });
});
