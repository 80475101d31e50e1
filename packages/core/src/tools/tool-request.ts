/** Builds the request of an `http_request` tool from the model's arguments. Pure. */
import { interpolate } from '@parley/script';
import type { CallTool } from './assistant-tools.ts';

/** A tool that sends an HTTP request, with its secrets. */
export type HttpCallTool = Extract<CallTool, { type: 'http_request' }>;

/** The request; null when a value would change the path of the address. */
export type ToolRequestPlan = {
  url: string;
  method: HttpCallTool['method'];
  headers: Record<string, string>;
  body: string | null;
} | null;

/** The variables of the call, and the validated arguments of the model. */
interface ToolInput {
  variables: Readonly<Record<string, unknown>>;
  arguments: Readonly<Record<string, unknown>>;
}

/** Arguments are sent in the query for methods without a body, and in the body otherwise. */
export function planToolRequest(tool: HttpCallTool, input: ToolInput): ToolRequestPlan {
  const url = fillAddress(tool.url, input.variables);
  if (!url) return null;
  const { method } = tool;
  const own = Object.fromEntries(tool.headers.map(({ name, value }) => [name.toLowerCase(), value]));
  const headers = { 'user-agent': 'Parley', accept: 'application/json', ...own };
  if (method === 'GET' || method === 'DELETE') {
    for (const [name, value] of Object.entries(input.arguments)) url.searchParams.append(name, plain(value));
    return { url: url.href, method, headers, body: null };
  }
  const body = JSON.stringify(input.arguments);
  return { url: url.href, method, headers: { 'content-type': 'application/json', ...headers }, body };
}

/**
 * Values are encoded, so that none can start a query or another path segment. `.` and `..` cannot be encoded (URL
 * Standard, "double-dot path segment"): as segments they would ask for another resource, so they are refused.
 */
function fillAddress(template: string, variables: ToolInput['variables']): URL | null {
  const filled = interpolate(template, variables, encodeURIComponent).text;
  const meant = template.replaceAll(/\{\{[^{}]*\}\}/gu, 'x');
  const url = URL.parse(filled);
  if (!url || url.origin !== URL.parse(meant)?.origin) return null;
  return dotSegments(filled) === dotSegments(meant) ? url : null;
}

const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/** Before the address is parsed, which removes them. */
function dotSegments(address: string): number {
  const [path = ''] = address.split(/[?#]/u);
  return path.split('/').filter((segment) => DOT_SEGMENT.test(segment)).length;
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
