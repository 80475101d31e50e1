/** The MCP server over standard input and output, with the SDK's own client, which starts the command. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { openTerminal } from '../../test/terminal.ts';
import { useInstallation } from '../../test/installation.ts';

const installation = useInstallation();
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

test('the tools are listed and used through the command', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const { PATH = '' } = process.env;
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp'],
      env: { PATH, PARLEY_URL: installation.url, PARLEY_TOKEN: installation.token },
    }),
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('make_call');
  const { content, isError } = await client.callTool({ name: 'list_assistants', arguments: {} });
  expect(isError ?? false).toBe(false);
  expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('current_page') as string }]);
  await client.close();
});

test.each(['legacy', 'auto'] as const)(
  'the client is asked to confirm an action, with negotiation %s',
  async (mode) => {
    const { url, token: ownToken } = installation;
    const post = async (path: string, token: string, body: object): Promise<Record<string, unknown>> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) });
      return ((await answer.json()) as { data: Record<string, unknown> }).data;
    };
    const { token } = await post('/api/user/tokens', ownToken, { name: mode, requires_confirmation: true });
    const answers = ['accept', 'decline'] as const;
    const questions: string[] = [];
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const action = answers[questions.push(params.message) - 1] ?? 'cancel';
      return { action, ...(action === 'accept' && { content: {} }) };
    });
    const { PATH = '' } = process.env;
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [MAIN, 'mcp'],
        env: { PATH, PARLEY_URL: url, PARLEY_TOKEN: String(token) },
      }),
    );
    const forbid = (number: string) =>
      client.callTool({ name: 'add_to_do_not_call_list', arguments: { phone_number: number } });
    const numbers = ['+12025550181', '+12025550182'];
    const [agreed, declined] = [await forbid(numbers[0] ?? ''), await forbid(numbers[1] ?? '')];
    expect([agreed.isError ?? false, declined.isError]).toEqual([false, true]);
    expect(questions).toEqual(numbers.map((number) => expect.stringContaining(number) as string));
    await client.close();
  },
);

test('a wrong token is an error before anything is served', async () => {
  const ran = await openTerminal({ PARLEY_URL: installation.url, PARLEY_TOKEN: 'wrong' }).run('mcp');
  expect(ran).toMatchObject({
    exitCode: 1,
    out: '',
    err: expect.stringContaining('refuses the token') as string,
  });
});
