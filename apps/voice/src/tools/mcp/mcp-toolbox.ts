/**
 * The Model Context Protocol servers of one call, for each assistant that may speak in it. Their tools are listed once,
 * when the call begins; a server that does not respond in time contributes none.
 */
import type { AssistantTool, ToolAnswer, ToolRequest } from '@parley/conversation';
import type { AssistantForVoice, CallForVoice } from '@parley/core';
import type { Clock, Log } from '@parley/runtime';
import { publicOnly, type GuardedClient } from '@parley/runtime/guarded-http';
import type { VoiceContext } from '../../voice-context.ts';
import { McpClient } from './mcp-client.ts';
import { callAnswer, listedTools, type ListedTool, type McpTool } from './mcp-tools.rules.ts';

/** Options of the toolbox. */
export interface McpToolboxOptions {
  http: Pick<GuardedClient, 'send'>;
  clock: Clock;
  log: Log;
}

/** Time limit for listing the tools of all servers, milliseconds. */
const LIST_LIMIT_MS = 3000;
/** Limit for the pages of `tools/list`. */
const MAX_PAGES = 5;

interface OpenServer {
  client: McpClient;
  tools: readonly ListedTool[];
}

/** One instance per call. */
export class McpToolbox {
  readonly #options: McpToolboxOptions;
  readonly #servers = new Map<McpTool, OpenServer>();

  constructor(options: McpToolboxOptions) {
    this.#options = options;
  }

  /** Lists the tools of all servers. Never rejects; takes at most 3 s, and no time without servers. */
  async open(speakers: readonly AssistantForVoice[]): Promise<void> {
    const servers = speakers.flatMap(serversOf);
    if (servers.length === 0) return;
    const limit = new AbortController();
    const timer = this.#options.clock.after(LIST_LIMIT_MS, () => limit.abort());
    await Promise.all(servers.map(async (server) => this.#openServer(server, limit.signal)));
    timer.cancel();
  }

  /** The tools of an assistant's servers, for the conversation. */
  toolsOf(speaker: AssistantForVoice): AssistantTool[] {
    return serversOf(speaker).flatMap(
      (server) => this.#servers.get(server)?.tools.map(({ tool }) => tool) ?? [],
    );
  }

  /** Runs a tool; null for a tool that does not belong to that assistant's servers. */
  async run(
    speaker: AssistantForVoice,
    request: ToolRequest,
    signal: AbortSignal,
  ): Promise<ToolAnswer | null> {
    for (const server of serversOf(speaker)) {
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

/** Opens the servers of a call and lists their tools; takes no time without servers. */
export async function openServers(
  { http, core: { clock, log } }: Pick<VoiceContext, 'http' | 'core'>,
  call: CallForVoice,
): Promise<McpToolbox> {
  const toolbox = new McpToolbox({ http: call.isOperators ? http : publicOnly(http), clock, log });
  await toolbox.open([call, ...call.others]);
  return toolbox;
}

function serversOf({ tools }: AssistantForVoice): McpTool[] {
  return tools.filter((tool): tool is McpTool => tool.type === 'mcp');
}
