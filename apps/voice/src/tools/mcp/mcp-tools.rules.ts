/**
 * Which tools of a server a call may use, under which names, and how their results are passed on. Only the owner's list
 * grants access; the server's own descriptions are data for the model.
 */
import type { AssistantTool, ToolAnswer } from '@parley/conversation';
import type { CallTool } from '@parley/core';
import { isRecord, type McpReply } from './mcp-messages.rules.ts';

/** A server among the tools of an assistant. */
export type McpTool = Extract<CallTool, { type: 'mcp' }>;

/** A tool of a server as a call uses it. */
export interface ListedTool {
  /** The name on the server. */
  name: string;
  tool: Extract<AssistantTool, { type: 'run' }>;
}

/** Separates the names of server and tool; the names of other tools do not contain it. */
const JOINT = '__';
/** The function names that models accept. */
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1000;
const MAX_SCHEMA_CHARACTERS = 16_384;
/** Marks a parameter that is to be sent as a header too; we send none (docs/decisions/mcp-tools.md). */
const HEADER_ANNOTATION = '"x-mcp-header"';

/** The usable tools of a page of `tools/list`: allowed by the owner, with a valid schema, each name once. */
export function listedTools(server: McpTool, offered: readonly unknown[]): ListedTool[] {
  const listed: ListedTool[] = [];
  for (const one of offered) {
    const tool = isRecord(one) ? listedTool(server, one) : null;
    if (tool && !listed.some((other) => other.tool.name === tool.tool.name)) listed.push(tool);
  }
  return listed;
}

function listedTool(server: McpTool, offered: Record<string, unknown>): ListedTool | null {
  const { name, description, inputSchema } = offered;
  if (typeof name !== 'string' || !server.allowedTools.includes(name)) return null;
  if (!isRecord(inputSchema) || inputSchema['type'] !== 'object') return null;
  const schema = JSON.stringify(inputSchema);
  if (schema.length > MAX_SCHEMA_CHARACTERS || schema.includes(HEADER_ANNOTATION)) return null;
  const joined = `${server.name}${JOINT}${name.replaceAll(/[^A-Za-z0-9_-]/gu, '_')}`;
  if (joined.length > MAX_NAME) return null;
  return {
    name,
    tool: { type: 'run', name: joined, description: plainText(description), parameters: inputSchema },
  };
}

/** Variables of the call are interpolated into the owner's descriptions, never into those of a server. */
function plainText(description: unknown): string {
  if (typeof description !== 'string') return '';
  return description.slice(0, MAX_DESCRIPTION).replaceAll('{{', '{ {');
}

/** Converts the reply to a `tools/call` for the model. */
export function callAnswer(reply: McpReply): ToolAnswer {
  if (!('result' in reply)) return { isOk: false, text: reply.fault };
  const { content, isError, structuredContent, resultType } = reply.result;
  if (resultType === 'input_required')
    return { isOk: false, text: 'The tool asks for more than a telephone call can give.' };
  const texts = (Array.isArray(content) ? content : []).filter(isRecord).map(contentText);
  const text = texts.length > 0 ? texts.join('\n') : JSON.stringify(structuredContent ?? null);
  return { isOk: isError !== true, text };
}

function contentText({ type, text }: Record<string, unknown>): string {
  return type === 'text' && typeof text === 'string' ? text : `[${String(type)}]`;
}
