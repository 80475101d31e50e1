/** The tools of one call: their definitions for the model, and their execution. */
import {
  KEYS_TOOL,
  type AssistantTool,
  type ToolAnswer,
  type ToolRequest,
  type ToolRunner,
} from '@parley/conversation';
import type { CallTool } from '@parley/core';
import { pause, type Clock } from '@parley/runtime';
import type { KeysOutcome } from '@parley/telephony';
import type { TransferWish } from './transfer-call.ts';
import { describeTransfer, describeWarmTransfer } from './transfer-description.rules.ts';
import { describeSearch, runKnowledgeSearch, type SearchKnowledge } from './knowledge-search.ts';
import { runHttpTool, type HttpToolContext } from './http-tool.ts';

const DTMF_DESCRIPTION =
  "Presses keys of the telephone's keypad, to find the way through an automatic menu or to enter a number that it asks for.";
const DTMF_PARAMETERS = {
  type: 'object',
  properties: {
    keys: { type: 'string', minLength: 1, maxLength: 32, description: 'Digits, * and #, in their order.' },
  },
  required: ['keys'],
  additionalProperties: false,
};
const NO_SUCH_TOOL: ToolAnswer = { isOk: false, text: 'There is no such tool.' };
const NO_TRANSFER: ToolAnswer = { isOk: false, text: 'This line cannot be transferred.' };
/** Why keys were not sent, for the model. */
const KEY_FAULTS = {
  unsupported: 'The other side of this call does not accept keys.',
  refused: 'The other side of this call refused them.',
  'on-hold': 'The call is on hold.',
  'no-call': 'The call has ended.',
} as const;
/** Within this time after its limit a request reports that no answer came, milliseconds. */
const REPORT_MS = 1000;
/** A key and the pause after it, milliseconds. */
const KEY_MS = 250;

/** A tool that is defined here: `end_call` belongs to every conversation, and MCP servers list their own tools. */
type OtherTool = Exclude<CallTool, { type: 'end_call' | 'mcp' }>;

/**
 * Converts the tools of an assistant for the conversation. Every assistant may end its call.
 *
 * @param reachable - ids of the assistants that this call may be handed over to
 */
export function toolsForConversation(
  tools: readonly CallTool[],
  reachable: readonly number[],
): AssistantTool[] {
  const described: AssistantTool = { type: 'end_call', description: null };
  const others: AssistantTool[] = [];
  for (const tool of tools) {
    if (tool.type === 'end_call') described.description = tool.description;
    else if (tool.type === 'mcp') continue;
    else if (tool.type !== 'assistant_transfer' || reachable.includes(tool.assistantId))
      others.push(describeTool(tool));
  }
  return [described, ...others];
}

function describeTool(tool: OtherTool): AssistantTool {
  switch (tool.type) {
    case 'http_request': {
      const { name, description, parameters } = tool;
      const timeLimitMs = tool.timeoutSeconds * 1000 + REPORT_MS;
      return { type: 'run', name, description, parameters, timeLimitMs };
    }
    case 'dtmf_input': {
      const description = [DTMF_DESCRIPTION, tool.description ?? ''].join(' ').trim();
      return { type: 'run', name: KEYS_TOOL, description, parameters: DTMF_PARAMETERS };
    }
    case 'collect_keypad': {
      const { name, description, prompt, maxDigits: maxKeys, terminator, variable } = tool;
      const collection = { maxKeys, terminator, timeoutMs: tool.timeoutSeconds * 1000, variable };
      return { type: 'collect_keys', name, description: description ?? '', prompt, collection };
    }
    case 'search_knowledge_base':
      return describeSearch(tool);
    case 'call_transfer':
      return describeTransfer(tool);
    case 'warm_call_transfer':
      return describeWarmTransfer(tool);
    case 'assistant_transfer': {
      const { name, description, message, assistantId } = tool;
      return { type: 'hand_over', name, description, message, assistantId };
    }
  }
}

/** Options of the tools of a call. */
export interface CallToolsOptions extends Omit<HttpToolContext, 'variables'> {
  tools: readonly CallTool[];
  clock: Clock;
  /** Runs a tool of the assistant's MCP servers; null for any other tool. */
  servers: (request: ToolRequest, signal: AbortSignal) => Promise<ToolAnswer | null>;
  /** The variables at the time of the tool use. */
  variables: () => Readonly<Record<string, unknown>>;
  /** Finds passages of the assistant's knowledge base. */
  searchKnowledge: SearchKnowledge;
  /** Null for a call without a keypad, such as a web call. */
  sendKeys: ((keys: string) => Promise<KeysOutcome>) | null;
  /** Null for a call that cannot be transferred. */
  transfer:
    | ((wish: Omit<TransferWish, 'ask' | 'variables'>, signal: AbortSignal) => Promise<ToolAnswer>)
    | null;
}

/** Looks up each tool in the assistant's own list, so that a model cannot run any other tool. */
export function createToolRunner(options: CallToolsOptions): ToolRunner {
  return {
    async run(request: ToolRequest, signal: AbortSignal): Promise<ToolAnswer> {
      const tool = options.tools.find((one) => nameOf(one) === request.name);
      if (tool?.type === 'http_request') {
        const { http, variables } = options;
        const given = request.arguments;
        return runHttpTool(tool, { http, variables: variables(), given }, signal);
      }
      if (tool?.type === 'call_transfer' || tool?.type === 'warm_call_transfer')
        return options.transfer ? options.transfer({ tool, given: request.arguments }, signal) : NO_TRANSFER;
      if (tool?.type === 'search_knowledge_base')
        return runKnowledgeSearch(tool, request.arguments, options.searchKnowledge);
      if (tool?.type === KEYS_TOOL) return pressKeys(options, String(request.arguments['keys']), signal);
      return (await options.servers(request, signal)) ?? NO_SUCH_TOOL;
    },
  };
}

async function pressKeys(
  { sendKeys, clock }: CallToolsOptions,
  written: string,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const keys = written.replaceAll(/[\s-]/gu, '');
  if (!sendKeys) return { isOk: false, text: 'This line has no keypad.' };
  if (!/^[0-9*#A-D]+$/.test(keys)) return { isOk: false, text: 'Only the keys 0 to 9, * and # exist.' };
  const outcome = await sendKeys(keys);
  if (!outcome.isSent) return { isOk: false, text: `The keys were not sent. ${KEY_FAULTS[outcome.reason]}` };
  await pause(clock, keys.length * KEY_MS, signal);
  return { isOk: true, text: 'The keys were pressed.' };
}

function nameOf(tool: CallTool): string {
  return 'name' in tool ? tool.name : tool.type;
}
