/** The tools of one call: what the model is told of them, and who runs them. */
import type { AssistantTool, ToolAnswer, ToolRequest, ToolRunner } from '@parley/conversation';
import type { CallForVoice, CallTool } from '@parley/core';
import { pause } from '@parley/runtime';
import { runHttpTool, type HttpToolContext } from './http-tool.ts';

const DTMF_INPUT = 'dtmf_input';
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
/** A key and the pause after it, milliseconds. */
const KEY_MS = 250;

/** The tools of a call in the conversation's words. Every assistant may end its call. */
export function toolsForConversation(tools: readonly CallTool[]): AssistantTool[] {
  const endCall = tools.find(({ type }) => type === 'end_call');
  const others = tools.filter(({ type }) => type !== 'end_call');
  return [{ type: 'end_call', description: endCall?.description ?? null }, ...others.map(runTool)];
}

function runTool(tool: CallTool): AssistantTool {
  if (tool.type === 'http_request') {
    const { name, description, parameters } = tool;
    return { type: 'run', name, description, parameters };
  }
  const description = [DTMF_DESCRIPTION, tool.description ?? ''].join(' ').trim();
  return { type: 'run', name: DTMF_INPUT, description, parameters: DTMF_PARAMETERS };
}

/** What the tools of a call need beside the call. */
export interface CallToolsOptions extends Omit<HttpToolContext, 'variables'> {
  call: Pick<CallForVoice, 'tools' | 'variables'>;
  /** Null where the line has no keys, as in a browser. */
  sendKeys: ((keys: string) => void) | null;
}

/** Looks each tool up again in the call's own list: what was not given to the assistant is not there to be run. */
export function createToolRunner({ call, sendKeys, http, clock }: CallToolsOptions): ToolRunner {
  return {
    async run(request: ToolRequest, signal: AbortSignal): Promise<ToolAnswer> {
      const tool = call.tools.find((one) => nameOf(one) === request.name);
      if (tool?.type === 'http_request')
        return runHttpTool(
          tool,
          { http, clock, variables: call.variables, given: request.arguments },
          signal,
        );
      if (tool?.type !== DTMF_INPUT) return { isOk: false, text: 'There is no such tool.' };
      const keys = String(request.arguments['keys']).replaceAll(/[\s-]/gu, '');
      if (!sendKeys) return { isOk: false, text: 'This line has no keypad.' };
      if (!/^[0-9*#A-D]+$/.test(keys)) return { isOk: false, text: 'Only the keys 0 to 9, * and # exist.' };
      sendKeys(keys);
      await pause(clock, keys.length * KEY_MS, signal);
      return { isOk: true, text: 'The keys were pressed.' };
    },
  };
}

function nameOf(tool: CallTool): string {
  return tool.type === 'http_request' ? tool.name : tool.type;
}
