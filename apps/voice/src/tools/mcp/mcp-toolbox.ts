/**
 * The servers of the Model Context Protocol of one call, for each assistant that may come to speak in it. Their tools are
 * asked for once, when the call begins; a server that does not answer in time gives none, and the call goes on without.
 */
import type { AssistantTool, ToolAnswer, ToolRequest } from '@parley/conversation';
import type { AssistantForVoice, CallForVoice } from '@parley/core';
import type { Clock, Log } from '@parley/runtime';
import type { GuardedClient } from '@parley/runtime/guarded-http';
import type { VoiceContext } from '../../voice-context.ts';
import { McpClient } from './mcp-client.ts';
import { callAnswer, listedTools, type ListedTool, type McpTool } from './mcp-tools.rules.ts';

/** What it needs. */
export interface McpToolboxOptions {
  http: GuardedClient;
  clock: Clock;
  log: Log;
}

/** All servers together have so long to say what they have, milliseconds. */
const LIST_LIMIT_MS = 3000;
/** `tools/list` comes in pages. */
const MAX_PAGES = 5;

interface OpenServer {
  client: McpClient;
  tools: readonly ListedTool[];
}

/** One per call. */
export class McpToolbox {
  readonly #options: McpToolboxOptions;
  readonly #servers = new Map<McpTool, OpenServer>();

  constructor(options: McpToolboxOptions) {
    this.#options = options;
  }

  /** Asks all servers what they have. Never rejects; takes 3 s at most, and no time where there are none. */
  async open(parties: readonly AssistantForVoice[]): Promise<void> {
    const servers = parties.flatMap(serversOf);
    if (servers.length === 0) return;
    const limit = new AbortController();
    const timer = this.#options.clock.after(LIST_LIMIT_MS, () => limit.abort());
    await Promise.all(servers.map(async (server) => this.#openServer(server, limit.signal)));
    timer.cancel();
  }

  /** In the words of the conversation. */
  toolsOf(party: AssistantForVoice): AssistantTool[] {
    return serversOf(party).flatMap(
      (server) => this.#servers.get(server)?.tools.map(({ tool }) => tool) ?? [],
    );
  }

  /** Null for what is not a tool of that assistant's servers. */
  async run(party: AssistantForVoice, request: ToolRequest, signal: AbortSignal): Promise<ToolAnswer | null> {
    for (const server of serversOf(party)) {
      const open = this.#servers.get(server);
      const listed = open?.tools.find(({ tool }) => tool.name === request.name);
      if (!open || !listed) continue;
      const params = { name: listed.name, arguments: request.arguments };
      return callAnswer(await open.client.request('tools/call', params, signal));
    }
    return null;
  }

  /** Ends the sessions with all servers, at the end of the call. Never rejects. */
  async close(): Promise<void> {
    const servers = [...this.#servers.values()];
    this.#servers.clear();
    await Promise.all(servers.map(({ client }) => client.close()));
  }

  async #openServer(server: McpTool, signal: AbortSignal): Promise<void> {
    const client = new McpClient(this.#options.http, server);
    const offered: unknown[] = [];
    let cursor: unknown;
    for (let page = 1; page <= MAX_PAGES; page++) {
      const params = typeof cursor === 'string' ? { cursor } : {};
      const reply = await client.request('tools/list', params, signal);
      if (!('result' in reply)) {
        this.#options.log.warn(
          { server: server.name, pii: { fault: reply.fault } },
          'An MCP server lists no tools',
        );
        break;
      }
      const { tools, nextCursor } = reply.result;
      if (Array.isArray(tools)) offered.push(...(tools as unknown[]));
      cursor = nextCursor;
      if (typeof cursor !== 'string') break;
    }
    this.#servers.set(server, { client, tools: listedTools(server, offered) });
  }
}

/** The servers of a call, asked what they have. Nobody is made to wait for a call that has none. */
export async function openServers(
  { http, core: { clock, log } }: Pick<VoiceContext, 'http' | 'core'>,
  call: CallForVoice,
): Promise<McpToolbox> {
  const toolbox = new McpToolbox({ http, clock, log });
  await toolbox.open([call, ...call.others]);
  return toolbox;
}

function serversOf({ tools }: AssistantForVoice): McpTool[] {
  return tools.filter((tool): tool is McpTool => tool.type === 'mcp');
}
