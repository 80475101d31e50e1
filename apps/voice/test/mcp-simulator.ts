/**
 * A server of the Model Context Protocol on loopback, based on the messages of the specification, in both
 * protocol eras and with simulated faults. It validates requests as the specification requires.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** The behaviour of the simulator. */
export interface McpSimulatorOptions {
  /** `modern`: 2026-07-28; `legacy`: sessions. */
  era: 'modern' | 'legacy';
  /** Sends responses as an event stream, after a notification. */
  isStreaming?: boolean;
  /** The fault to simulate, and the method that it affects. */
  fault?: { method: string; kind: 'stall' | 'wrong-json' | 'forget-session' | 'refuse' };
  tools?: readonly Record<string, unknown>[];
  /** Tools of one page of the list. */
  pageSize?: number;
}

/** One received request. */
export interface McpReceived {
  httpMethod: string;
  method: string;
  params: Record<string, unknown>;
  headers: IncomingMessage['headers'];
}

interface Message {
  id?: number;
  method: string;
  params?: Record<string, unknown>;
}

const MODERN = '2026-07-28';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** A tool with one parameter. */
export const WEATHER = {
  name: 'get_weather',
  description: 'Weather of a city, {{secret}}.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

export class McpSimulator {
  readonly received: McpReceived[] = [];
  readonly #options: McpSimulatorOptions;
  readonly #server = createServer((request, response) => void this.#take(request, response));
  #sessions = 0;
  #hasFailed = false;

  constructor(options: McpSimulatorOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Methods in their order. */
  methods(): string[] {
    return this.received.map(({ method }) => method);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isPost = request.method === 'POST';
    const message = isPost ? ((await json(request)) as Message) : { method: String(request.method) };
    const { method, params = {} } = message;
    const { headers } = request;
    this.received.push({ httpMethod: String(request.method), method, params, headers });
    const refusal = this.#refusal(request, message);
    if (refusal !== null) return void response.writeHead(refusal.status).end(refusal.body);
    const { fault } = this.#options;
    if (fault?.method === method && fault.kind === 'stall') return;
    if (fault?.method === method && fault.kind === 'wrong-json')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":');
    if (message.id === undefined) return void response.writeHead(202).end();
    this.#answer(response, message.id, this.#result(method, params));
  }

  /** Rejects the requests that the specification allows a server to reject. */
  #refusal(
    { headers }: IncomingMessage,
    { id, method, params }: Message,
  ): { status: number; body: string } | null {
    const error = (status: number, code: number, message: string) => ({
      status,
      body: JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }),
    });
    const { fault, era } = this.#options;
    if (fault?.method === method && fault.kind === 'refuse') return error(200, -32_602, 'Unknown tool');
    if (era === 'legacy') return this.#legacyRefusal(headers['mcp-session-id'], method);
    const meta = params?.['_meta'] as Record<string, unknown> | undefined;
    const isWhole =
      headers['mcp-protocol-version'] === MODERN &&
      meta?.[VERSION_KEY] === MODERN &&
      headers['mcp-method'] === method &&
      (method !== 'tools/call' || headers['mcp-name'] === params?.['name']);
    return isWhole ? null : error(400, -32_020, 'Header mismatch');
  }

  #legacyRefusal(
    session: string | string[] | undefined,
    method: string,
  ): { status: number; body: string } | null {
    if (method === 'initialize') return null;
    if (session === undefined) return { status: 400, body: 'Bad Request: no session' };
    const { fault } = this.#options;
    if (fault?.kind === 'forget-session' && fault.method === method && !this.#hasFailed) {
      this.#hasFailed = true;
      return { status: 404, body: '' };
    }
    return session === `session-${this.#sessions}` ? null : { status: 404, body: '' };
  }

  #result(method: string, params: Record<string, unknown>): Record<string, unknown> {
    const { tools = [WEATHER], pageSize = 100 } = this.#options;
    if (method === 'initialize') {
      this.#sessions += 1;
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'sim', version: '1' },
      };
    }
    if (method === 'tools/list') {
      const from = Number(params['cursor'] ?? 0);
      const next = from + pageSize;
      const page = { resultType: 'complete', tools: tools.slice(from, next) };
      return next < tools.length ? { ...page, nextCursor: String(next) } : page;
    }
    return { content: [{ type: 'text', text: `called with ${JSON.stringify(params['arguments'])}` }] };
  }

  #answer(response: ServerResponse, id: number, result: Record<string, unknown>): void {
    const isOpening = 'serverInfo' in result && this.#options.era === 'legacy';
    const session = isOpening ? { 'mcp-session-id': `session-${this.#sessions}` } : {};
    const text = JSON.stringify({ jsonrpc: '2.0', id, result });
    if (!this.#options.isStreaming)
      return void response.writeHead(200, { 'content-type': 'application/json', ...session }).end(text);
    const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: {} });
    response.writeHead(200, { 'content-type': 'text/event-stream', ...session });
    response.end(`: hello\r\n\r\nevent: message\r\ndata: ${note}\r\n\r\ndata: ${text}\r\n\r\n`);
  }
}
