/**
 * The assistant's tools in the words of a model. The list of the assistant is the guard, not the prompt: a call of
 * anything else is refused by `tool-desk.ts`, whatever the model was talked into.
 */
import type { ToolDefinition } from '@parley/speech';
import type { AssistantTool } from '../conversation-settings.ts';

/** The one tool that the conversation runs itself. */
export const END_CALL = 'end_call';

const END_CALL_DESCRIPTION =
  'Ends the phone call. Say goodbye in the same turn before you use it; the call ends when the goodbye has been heard. ' +
  'Use it when the purpose of the call is reached, or when the caller says goodbye or wants to end the call.';

const NO_PARAMETERS = { type: 'object', properties: {}, additionalProperties: false };

/** @param fill - puts the call's values into the owner's words */
export function toolDefinitions(
  tools: readonly AssistantTool[],
  fill: (template: string) => string,
): ToolDefinition[] {
  return tools.map((tool) => {
    if (tool.type === 'run')
      return { name: tool.name, description: fill(tool.description), parameters: tool.parameters };
    const description = [END_CALL_DESCRIPTION, fill(tool.description ?? '')].join(' ').trim();
    return { name: END_CALL, description, parameters: NO_PARAMETERS };
  });
}
