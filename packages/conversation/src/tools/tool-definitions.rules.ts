/**
 * The assistant's tools in the words of a model, and what is said to the caller with them. The list of the assistant is
 * the guard, not the prompt: a call of anything else is refused by `tool-executor.ts`, whatever the model was talked into.
 */
import type { ToolDefinition } from '@parley/speech';
import type { AssistantTool } from '../conversation-settings.ts';

/** Ends the call when what was said with it has been heard. */
const END_CALL = 'end_call';

const END_CALL_DESCRIPTION =
  'Ends the phone call. Say goodbye in the same turn before you use it; the call ends when the goodbye has been heard. ' +
  'Use it when the purpose of the call is reached, or when the caller says goodbye or wants to end the call.';
const HAND_OVER_DESCRIPTION =
  'Hands the caller over to another assistant, who goes on with this conversation. You may say so in one short sentence ' +
  'in the same turn; say nothing else.';
const COLLECT_KEYS_DESCRIPTION =
  "Waits for the caller to press keys of the telephone's keypad, and gives you what was pressed.";

const NO_PARAMETERS = { type: 'object', properties: {}, additionalProperties: false };

/** Puts the call's values into the owner's words. */
type Fill = (template: string) => string;

/** All that can be called. */
export function toolDefinitions(tools: readonly AssistantTool[], fill: Fill): ToolDefinition[] {
  return tools.map((tool) => {
    switch (tool.type) {
      case 'run':
        return { name: tool.name, description: fill(tool.description), parameters: tool.parameters };
      case 'end_call':
        return plain(END_CALL, END_CALL_DESCRIPTION, fill(tool.description ?? ''));
      case 'collect_keys':
        return plain(tool.name, COLLECT_KEYS_DESCRIPTION, fill(tool.description));
      case 'hand_over':
        return plain(tool.name, HAND_OVER_DESCRIPTION, fill(tool.description));
    }
  });
}

function plain(name: string, ours: string, owners: string): ToolDefinition {
  return { name, description: `${ours} ${owners}`.trim(), parameters: NO_PARAMETERS };
}

/** What the conversation says itself when one of its tools is used, by the tool's name. */
export type ToolWords = ReadonlyMap<string, string>;

/** Prompts for keys, and words of a hand-over. */
export function toolWords(tools: readonly AssistantTool[], fill: Fill): ToolWords {
  return new Map(
    tools.flatMap((tool): [string, string][] => {
      if (tool.type === 'collect_keys') return [[tool.name, fill(tool.prompt ?? '')]];
      return tool.type === 'hand_over' ? [[tool.name, fill(tool.message ?? '')]] : [];
    }),
  );
}

/** What follows a turn in which a tool was called that ends the conversation. Null: the call goes on. */
export type ClosingTool = { endsCall: true } | { nextAssistantId: number };

/** @returns null for a tool that ends nothing, or that the assistant does not have */
export function closingTool(tools: readonly AssistantTool[], name: string): ClosingTool | null {
  for (const tool of tools) {
    if (tool.type === 'end_call' && name === END_CALL) return { endsCall: true };
    if (tool.type === 'hand_over' && name === tool.name) return { nextAssistantId: tool.assistantId };
  }
  return null;
}
