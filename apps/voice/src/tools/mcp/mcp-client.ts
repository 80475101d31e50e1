/**
 * The client of one Model Context Protocol server in one call. The first request detects the protocol era of the server,
 * and a dropped session is opened again once. Requests use the guarded client, as for all addresses that owners choose.
 */
import type { GuardedClient, GuardedOutcome } from '@parley/runtime/guarded-http';
import {
  encodeNotification,
  encodeRequest,
  initialize,
  isLegacyRefusal,
  LEGACY_VERSION,
  readReply,
  type McpEra,
  type McpReply,
} from './mcp-messages.rules.ts';

/** The server's address and headers. Contains secrets: never log it. */
export interface McpServer {
  url: string;
  headers: readonly { name: string; value: string }[];
}

type Params = Readonly<Record<string, unknown>>;
type Answer = Extract<GuardedOutcome, { status: number }>;

const NOT_FOUND = 404;

/** One per server and call. Its methods never reject. */
export class McpClient {
  readonly #http: Pick<GuardedClient, 'send'>;
  readonly #server: McpServer;
  /** Null until the first request was answered. */
  #era: McpEra | null = null;
  #lastId = 0;

  constructor(http: Pick<GuardedClient, 'send'>, server: McpServer) {
    this.#http = http;
    this.#server = server;
  }

  /** Calls a method. */
  async request(method: string, params: Params, signal: AbortSignal): Promise<McpReply> {
    const era = this.#era ?? { isModern: true };
    const { status, reply } = await this.#ask(method, params, { era, signal });
    if (this.#era === null && isLegacyRefusal(status, reply))
      return this.#inNewSession(method, params, signal);
    const isForgotten = !era.isModern && era.session !== null && status === NOT_FOUND;
    if (isForgotten) return this.#inNewSession(method, params, signal);
    if (status !== 0) this.#era ??= era;
    return reply;
  }

  /** Ends the session with the server. Never rejects. */
  async close(): Promise<void> {
    const era = this.#era;
    if (era === null || era.isModern || era.session === null) return;
    const { headers } = encodeNotification('', era);
    await this.#send('DELETE', { headers, body: null });
  }

  async #inNewSession(method: string, params: Params, signal: AbortSignal): Promise<McpReply> {
    const fault = await this.#openSession(signal);
    if (fault) return fault;
    return (await this.#ask(method, params, { era: this.#era ?? { isModern: true }, signal })).reply;
  }

  /** @returns the fault, or null when the session is open */
  async #openSession(signal: AbortSignal): Promise<McpReply | null> {
    const opening: McpEra = { isModern: false, version: LEGACY_VERSION, session: null };
    const { id, method, params } = initialize((this.#lastId += 1));
    const outcome = await this.#send('POST', encodeRequest({ id, method, params }, opening), signal);
    if (!('status' in outcome)) return { code: null, fault: outcome.error };
    const reply = readReply(outcome, id);
    if (!('result' in reply)) return reply;
    const { protocolVersion } = reply.result;
    const version = typeof protocolVersion === 'string' ? protocolVersion : LEGACY_VERSION;
    this.#era = { isModern: false, version, session: outcome.headers['mcp-session-id'] ?? null };
    await this.#send('POST', encodeNotification('notifications/initialized', this.#era), signal);
    return null;
  }

  /** Status 0: there was no response. */
  async #ask(
    method: string,
    params: Params,
    { era, signal }: { era: McpEra; signal: AbortSignal },
  ): Promise<{ status: number; reply: McpReply }> {
    const id = (this.#lastId += 1);
    const outcome = await this.#send('POST', encodeRequest({ id, method, params }, era), signal);
    if (!('status' in outcome)) return { status: 0, reply: { code: null, fault: outcome.error } };
    return { status: outcome.status, reply: replyOf(outcome, id) };
  }

  async #send(
    method: 'POST' | 'DELETE',
    { headers, body }: { headers: Record<string, string>; body: string | null },
    signal?: AbortSignal,
  ): Promise<GuardedOutcome> {
    const own = this.#server.headers.map(({ name, value }) => [name.toLowerCase(), value] as const);
    // The headers of the protocol override those of the owner.
    const all = { ...Object.fromEntries(own), ...headers };
    const request = { url: this.#server.url, method, headers: all, body };
    return this.#http.send(signal ? { ...request, signal } : request);
  }
}

function replyOf(answer: Answer, id: number): McpReply {
  const reply = readReply(answer, id);
  const isUnread = !('result' in reply) && reply.code === null;
  return isUnread && answer.status >= 400 ? { code: null, fault: `HTTP ${answer.status}` } : reply;
}
