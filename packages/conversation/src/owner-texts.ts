/** All texts of a conversation that are known before it begins, with the call's values in them. */
import type { ToolDefinition } from '@parley/speech';
import { toolDefinitions } from './assistant-tools.ts';
import type { ConversationSettings } from './conversation-settings.ts';
import { phrase } from './phrases.rules.ts';
import { interpolate } from './variables.rules.ts';

/** Interpolated once, so that every turn sees the same. */
export interface OwnerTexts {
  greeting: string;
  systemPrompt: string;
  tools: ToolDefinition[];
  goodbye: string;
  apology: string;
  /** Placeholders nothing was known for; each is to be told to the owner. */
  unknownNames: string[];
}

/** Puts the variables of the call into the assistant's texts. */
export function ownerTexts(settings: ConversationSettings): OwnerTexts {
  const unknownNames = new Set<string>();
  const fill = (template: string): string => {
    const filled = interpolate(template, settings.variables);
    for (const name of filled.unknownNames) unknownNames.add(name);
    return filled.text;
  };
  const tools = settings.tools.map((tool) => ({
    ...tool,
    description: tool.description === null ? null : fill(tool.description),
  }));
  return {
    greeting: fill(settings.initialMessage),
    systemPrompt: fill(settings.systemPrompt),
    tools: toolDefinitions(tools),
    goodbye: phrase('goodbye', settings.language),
    apology: phrase('apology', settings.language),
    unknownNames: [...unknownNames],
  };
}
