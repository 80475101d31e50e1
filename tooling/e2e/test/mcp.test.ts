/** An agent previews a call through the MCP server, places it, and waits for its result; over real SIP to a test phone. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstallation, type Installation } from '../src/installation.ts';

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
