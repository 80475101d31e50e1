/**
 * `mcp`: the MCP server of the installation over standard input and output, for clients that start a program. Every message
 * goes to the endpoint `/mcp` with the API token.
 */
import { once } from 'node:events';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { apiAddress, apiToken, type ApiOptions } from '../api-access.ts';
import { CommandError } from '../command-error.ts';
import type { Console } from '../console.ts';
import { texts } from './texts.ts';

const NAME = 'parley';
const VERSION = '1.0.0';

type McpOptions = Pick<ApiOptions, 'url' | 'token'>;

/** @param program - gets the command */
export function addMcpCommand(program: Command, console: Console): void {
  program
    .command('mcp')
    .description(texts.mcp.about)
    .option('--url <address>', texts.mcp.url)
    .option('--token <token>', texts.mcp.token)
    .action((options: McpOptions) => serve(console, options));
}

/** Standard output belongs to the protocol, so everything else goes to standard error. */
async function serve(console: Console, options: McpOptions): Promise<void> {
  const token = apiToken(console, options);
  const url = new URL('/mcp', apiAddress(console, options));
  const client = new Client({ name: NAME, version: VERSION });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit })).catch((cause: unknown) => {
    throw new CommandError(texts.mcp.unreachable(url.href), { cause });
  });
  const closed = new AbortController();
  const stdio = serveStdio(() => forwarding(client), {
    onerror: (error) => console.remark(`${error.message}\n`),
  });
  process.stdin.once('close', () => closed.abort());
  const ended = AbortSignal.any([closed.signal, console.signal]);
  if (!ended.aborted) await once(ended, 'abort');
  await stdio.close();
  await client.close();
}

function forwarding(client: Client): Server {
  const instructions = client.getInstructions();
  const server = new Server(
    { name: NAME, version: VERSION },
    { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) },
  );
  server.setRequestHandler('tools/list', () => client.listTools());
  server.setRequestHandler('tools/call', ({ params }) => client.callTool(params));
  return server;
}
