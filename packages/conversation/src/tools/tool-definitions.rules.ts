/**
 * The assistant's tools as a model gets them, and what is spoken when they are used. The list of tools is the safeguard, not
 * the prompt: `tool-executor.ts` refuses calls of any other tool, whatever the model was persuaded to do.
 */
import type { ToolDefinition } from '@parley/speech';
import type { AssistantTool } from './assistant-tool.ts';

/** Ends the call once the goodbye has been played. */
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

/** Fills the variables of the call into the owner's text. */
type Fill = (template: string) => string;

/** All tools that the model can call. */
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

/** What the conversation itself says when a tool is used, by the tool's name. */
export type ToolWords = ReadonlyMap<string, string>;

/** Prompts for keys, and messages of transfers to other assistants. */
export function toolWords(tools: readonly AssistantTool[], fill: Fill): ToolWords {
  return new Map(
    tools.flatMap((tool): [string, string][] => {
      if (tool.type === 'collect_keys') return [[tool.name, fill(tool.prompt ?? '')]];
      return tool.type === 'hand_over' ? [[tool.name, fill(tool.message ?? '')]] : [];
    }),
  );
}

/** How a tool ends the conversation: the call ends, or another assistant continues it. */
export type ClosingTool = { endsCall: true } | { nextAssistantId: number };

/** @returns null for a tool that does not end the conversation, or that the assistant does not have */
export function closingTool(tools: readonly AssistantTool[], name: string): ClosingTool | null {
  for (const tool of tools) {
    if (tool.type === 'end_call' && name === END_CALL) return { endsCall: true };
    if (tool.type === 'hand_over' && name === tool.name) return { nextAssistantId: tool.assistantId };
  }
  return null;
}
