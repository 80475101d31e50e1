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

test('a wrong token is an error before anything is served', async () => {
  const ran = await openTerminal({ PARLEY_URL: installation.url, PARLEY_TOKEN: 'wrong' }).run('mcp');
  expect(ran).toMatchObject({
    exitCode: 1,
    out: '',
    err: expect.stringContaining('refuses the token') as string,
  });
});
