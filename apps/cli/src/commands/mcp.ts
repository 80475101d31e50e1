/**
 * `mcp`: the MCP server of the installation over standard input and output, for clients that start a program. Every message
 * goes to the endpoint `/mcp` with the API token.
 */
import { once } from 'node:events';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import {
  CLIENT_CAPABILITIES_META_KEY,
  Server,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
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
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const connect = async (options: ClientOptions): Promise<Client> => {
    const client = new Client({ name: NAME, version: VERSION }, options);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit })).catch((cause: unknown) => {
      throw new CommandError(texts.mcp.unreachable(url.href), { cause });
    });
    return client;
  };
  const [plain, asking] = await Promise.all([connect({}), connect(ASKING)]);
  const closed = new AbortController();
  const stdio = serveStdio(() => forwarding({ plain, asking }), {
    onerror: (error) => console.remark(`${error.message}\n`),
  });
  process.stdin.once('close', () => closed.abort());
  const ended = AbortSignal.any([closed.signal, console.signal]);
  if (!ended.aborted) await once(ended, 'abort');
  await stdio.close();
  await Promise.all([plain.close(), asking.close()]);
}

/** Questions of the installation are passed on, not answered here. */
const ASKING: ClientOptions = {
  capabilities: { elicitation: { form: {} } },
  versionNegotiation: { mode: 'auto' },
  inputRequired: { autoFulfill: false },
};

/** Connections to the installation: `asking` says that the user can be asked. */
interface Connections {
  plain: Client;
  asking: Client;
}

function forwarding({ plain, asking }: Connections): Server {
  const instructions = plain.getInstructions();
  const server = new Server(
    { name: NAME, version: VERSION },
    { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) },
  );
  const upstream = ({ envelope }: ServerContext['mcpReq']): Client => {
    // Revisions since 2026-07-28 send them with each request, earlier ones once.
    const sent = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
    const { elicitation } = (sent as ClientCapabilities | undefined) ?? server.getClientCapabilities() ?? {};
    // No mode at all means the form.
    const isAble =
      elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
    return isAble ? asking : plain;
  };
  server.setRequestHandler('tools/list', (_request, { mcpReq }) => upstream(mcpReq).listTools());
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const { inputResponses } = mcpReq;
    const state = mcpReq.requestState<string | undefined>();
    const answered = {
      ...(inputResponses && { inputResponses }),
      ...(state !== undefined && { requestState: state }),
    };
    return upstream(mcpReq).callTool(
      { ...params, ...answered },
      {
        allowInputRequired: true,
      },
    );
  });
  return server;
}
