/** An agent previews a call through the MCP server, places it, and waits for its result; over real SIP to a test phone. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstallation, type Installation } from '../src/installation.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** See the phone book of `tooling/phones`: presses 1, then 9. */
const PRESSES_KEYS = '+12025550191';

let installation: Installation;
let agent: Client;
beforeAll(async () => {
  installation = await startInstallation();
  agent = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${installation.token}` } };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', installation.baseUrl), { requestInit });
  await agent.connect(transport);
});
afterAll(async () => {
  await agent?.close();
  await installation?.stop();
});

async function use(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { content, isError = false } = await agent.callTool({ name, arguments: input });
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  expect(isError, text).toBe(false);
  return JSON.parse(text) as Record<string, unknown>;
}

it('an agent gets the result of a call', async () => {
  const { data: assistants } = (await use('list_assistants', { type: 'outbound' })) as {
    data: { id: number; name: string }[];
  };
  const demo = assistants.find(({ name }) => name.startsWith('Demo'));
  const call = { phone_number: PRESSES_KEYS, assistant_id: demo?.id };
  expect(await use('preview_call', call)).toMatchObject({ would_call: true, to: PRESSES_KEYS });
  expect(await use('list_calls', {})).toMatchObject({ total: 0 });
  const { call_id } = await use('make_call', call);
  let result = await use('wait_for_call', { call_id, seconds: 1 });
  expect(result['is_over']).toBe(false);
  while (result['is_over'] === false) result = await use('wait_for_call', { call_id });
  expect(result).toMatchObject({
    status: 'completed',
    outcome: 'talked',
    variables: { day: 'Monday' },
    transcript: expect.stringContaining('Goodbye.') as string,
  });
});

interface ClientConfiguration {
  mcpServers: {
    parley: {
      url?: string;
      headers?: Record<string, string>;
      command?: string;
      args?: string[];
      env?: object;
    };
  };
}

/** The servers of the examples for clients in a page of the documentation, with the address and token of the installation. */
async function serversOf(page: string): Promise<ClientConfiguration['mcpServers']['parley'][]> {
  const text = await readFile(new URL(`../../../${page}`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line.startsWith('{ "mcpServers"'));
  return lines.map((line) => {
    const filled = line
      .replace('http://localhost:3000', installation.baseUrl)
      .replace('<token>', installation.token)
      .replace('<folder of Parley>', ROOT);
    return (JSON.parse(filled) as ClientConfiguration).mcpServers.parley;
  });
}

async function toolsOver(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<string[]> {
  const client = new Client({ name: 'stranger', version: '1' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

it.each(['README.md', 'docs/mcp.md'])('a client connects with what %s shows', async (page) => {
  const servers = await serversOf(page);
  expect(servers.length).toBeGreaterThan(0);
  for (const { url, headers = {}, command, args = [], env = {} } of servers) {
    const transport =
      url === undefined
        ? new StdioClientTransport({
            command: String(command),
            args,
            cwd: ROOT,
            env: { PATH: process.env['PATH'] ?? '', ...env },
          })
        : new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    expect(await toolsOver(transport)).toContain('make_call');
  }
});
