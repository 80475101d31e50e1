/**
 * The messages of the Model Context Protocol over Streamable HTTP, encoded and parsed. Two eras are supported: revision
 * 2026-07-28, in which every request is independent, and earlier revisions, which open a session with `initialize`. Pure.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */

/** The revision without sessions. */
const MODERN_VERSION = '2026-07-28';
/** The latest revision with sessions. */
export const LEGACY_VERSION = '2025-11-25';

/** The protocol of a server. `session`: the id that the server assigned, or null without one. */
export type McpEra = { isModern: true } | { isModern: false; version: string; session: string | null };

/** One call of a method. */
export interface McpRequest {
  id: number;
  method: string;
  params: Readonly<Record<string, unknown>>;
}

/** The reply. `code` is a JSON-RPC error code, or null when the response was not a JSON-RPC message. */
export type McpReply = { result: Readonly<Record<string, unknown>> } | { code: number | null; fault: string };

const CLIENT_INFO = { name: 'Parley', version: '0.1' };
const META = 'io.modelcontextprotocol/';
/** Error codes that only a server of the modern era uses (specification, basic, "Error Codes"), and an unknown method. */
const MODERN_CODES: readonly number[] = [-32_020, -32_021, -32_022, -32_601];
const MAX_FAULT = 500;

/** Opens a session of the legacy era. */
export function initialize(id: number): McpRequest {
  const params = { protocolVersion: LEGACY_VERSION, capabilities: {}, clientInfo: CLIENT_INFO };
  return { id, method: 'initialize', params };
}

/** The body and the headers of a request, without those of the owner. */
export function encodeRequest(
  { id, method, params }: McpRequest,
  era: McpEra,
): { body: string; headers: Record<string, string> } {
  const meta = {
    [`${META}protocolVersion`]: MODERN_VERSION,
    [`${META}clientInfo`]: CLIENT_INFO,
    [`${META}clientCapabilities`]: {},
  };
  const whole = era.isModern ? { ...params, _meta: meta } : params;
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: whole });
  return { body, headers: headersOf({ method, params }, era) };
}

/** A notification of the legacy era. */
export function encodeNotification(
  method: string,
  era: McpEra,
): { body: string; headers: Record<string, string> } {
  return {
    body: JSON.stringify({ jsonrpc: '2.0', method }),
    headers: headersOf({ method, params: {} }, era),
  };
}

function headersOf({ method, params }: Omit<McpRequest, 'id'>, era: McpEra): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': 'Parley',
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  if (era.isModern) {
    headers['mcp-protocol-version'] = MODERN_VERSION;
    headers['mcp-method'] = method;
    if (typeof params['name'] === 'string') headers['mcp-name'] = params['name'];
  } else if (method !== 'initialize') {
    headers['mcp-protocol-version'] = era.version;
    if (era.session !== null) headers['mcp-session-id'] = era.session;
  }
  return headers;
}

/** The reply to the request with that id; other messages of a stream are ignored. */
export function readReply(
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string },
  id: number,
): McpReply {
  const isStream = (headers['content-type'] ?? '').toLowerCase().startsWith('text/event-stream');
  const messages = (isStream ? eventData(body) : [body]).map(parseJson).filter(isRecord);
  const reply = messages.find((one) => 'result' in one || 'error' in one) && findReply(messages, id);
  return reply ?? { code: null, fault: 'The server did not answer in the words of the protocol' };
}

function findReply(messages: readonly Record<string, unknown>[], id: number): McpReply | undefined {
  // An error that occurs before the server has parsed the id has none.
  const reply = messages.find((one) => one['id'] === id || (one['id'] == null && 'error' in one));
  if (!reply) return undefined;
  const { result, error } = reply;
  if (isRecord(result)) return { result };
  if (!isRecord(error)) return undefined;
  const { code, message } = error;
  const fault = typeof message === 'string' ? message.slice(0, MAX_FAULT) : 'The server reported an error';
  return { code: typeof code === 'number' ? code : null, fault };
}

/** True when the refusal of a modern request shows that the server is of the legacy era. */
export function isLegacyRefusal(status: number, reply: McpReply): boolean {
  if (status < 400 || status >= 500 || status === 401 || status === 403) return false;
  return 'result' in reply || reply.code === null || !MODERN_CODES.includes(reply.code);
}

/** The data of each event, its lines joined (HTML Standard, "Server-sent events"). */
function eventData(body: string): string[] {
  const events = body.replaceAll(/\r\n?/gu, '\n').split('\n\n');
  return events
    .map((event) =>
      event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).replace(/^ /, ''))
        .join('\n'),
    )
    .filter((data) => data !== '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
