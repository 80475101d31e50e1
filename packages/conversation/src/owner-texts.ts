/** All texts of a conversation that are known before it begins, with the call's values in them. */
import type { ToolDefinition } from '@parley/speech';
import type { ConversationSettings } from './conversation-settings.ts';
import type { FillerWords } from './speaking/filler-shelf.ts';
import { phrase } from './speaking/phrases.rules.ts';
import { spokenText } from './speaking/spoken-text.rules.ts';
import { toolDefinitions, toolWords, type ToolWords } from './tools/tool-definitions.rules.ts';
import { interpolate } from './variables.rules.ts';

/** Interpolated once, so that every turn sees the same. */
export interface OwnerTexts {
  greeting: string;
  systemPrompt: string;
  tools: ToolDefinition[];
  toolWords: ToolWords;
  goodbye: string;
  apology: string;
  /** The owner's words for pauses, if they want some, and ours for a provider that stalls. */
  fillers: FillerWords;
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
  return {
    greeting: fill(settings.initialMessage),
    systemPrompt: fill(settings.systemPrompt),
    tools: toolDefinitions(settings.tools, fill),
    toolWords: toolWords(settings.tools, fill),
    goodbye: phrase('goodbye', settings.language),
    apology: phrase('apology', settings.language),
    fillers: fillerWords(settings),
    unknownNames: [...unknownNames],
  };
}

/** Of each list so many are made ahead; nobody hears more in one call. */
const MAX_FILLERS = 4;
/** A filler that is longer than this fills no pause, it makes one. */
const MAX_FILLER_CHARACTERS = 60;
const NO_FILLERS = { neutral: [], negative: [], positive: [], question: [] };

function fillerWords({ fillers, tools, language }: ConversationSettings): FillerWords {
  const { neutral, negative, positive, question } = fillers ?? NO_FILLERS;
  const hold = [phrase('moment', language), phrase('patience', language)];
  const canWork = fillers !== null && tools.some(({ type }) => type === 'run');
  return {
    hold,
    work: canWork ? [phrase('working', language), ...hold.toReversed()] : hold,
    neutral: usable(neutral),
    negative: usable(negative),
    positive: usable(positive),
    question: usable(question),
  };
}

function usable(texts: readonly string[]): string[] {
  const spoken = texts.map(spokenText);
  return spoken.filter((text) => text !== '' && text.length <= MAX_FILLER_CHARACTERS).slice(0, MAX_FILLERS);
}
