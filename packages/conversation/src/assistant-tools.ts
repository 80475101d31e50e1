/**
 * What the model may do besides talking. The list of the assistant is the guard, not the prompt: a call of anything
 * else is answered by "there is no such tool".
 */
import type { ToolDefinition } from '@parley/speech';
import type { AssistantTool } from './conversation-settings.ts';

const END_CALL_DESCRIPTION =
  'Ends the phone call. Say goodbye in the same turn before you use it; the call ends when the goodbye has been heard. ' +
  'Use it when the purpose of the call is reached, or when the caller says goodbye or wants to end the call.';

/** The assistant's tools in the words of a model. */
export function toolDefinitions(tools: readonly AssistantTool[]): ToolDefinition[] {
  return tools.map((tool) => ({
    name: tool.type,
    description: [END_CALL_DESCRIPTION, tool.description ?? ''].join(' ').trim(),
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  }));
}
