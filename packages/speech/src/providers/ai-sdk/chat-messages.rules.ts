/**
 * The dialogue in the format of chat models. Such models read words only, so keys, silence and unrecognised speech are
 * written in brackets.
 */
import type { ModelMessage } from 'ai';
import type { DialogueEntry } from '../../ports.ts';
import { customerWords, type CustomerEntry } from '../customer-words.rules.ts';

/** The first message of a dialogue without turns, because most servers require a user message. */
const BEGINNING = '[The call is connected. Begin the conversation.]';
/** The result of a tool call that has none, because servers refuse a call without a result. */
const NO_RESULT = 'No result: the call went on before the tool had finished.';

type AssistantEntry = Extract<DialogueEntry, { role: 'assistant' }>;
type ToolEntry = Extract<DialogueEntry, { role: 'tool' }>;

/** Converts the dialogue into messages. Tool results directly follow their calls; adjacent messages of one role are joined. */
export function toChatMessages(dialogue: readonly DialogueEntry[]): ModelMessage[] {
  const results = new Map(
    dialogue.flatMap((entry) => (entry.role === 'tool' ? [[entry.toolCallId, entry] as const] : [])),
  );
  const messages: ModelMessage[] = [];
  for (const entry of dialogue) {
    if (entry.role === 'customer') addCustomer(messages, entry);
    if (entry.role === 'assistant') messages.push(...fromAssistant(entry, results));
  }
  if (!messages.some(({ role }) => role === 'user')) messages.unshift({ role: 'user', content: BEGINNING });
  return messages;
}

function addCustomer(messages: ModelMessage[], entry: CustomerEntry): void {
  const text = customerWords(entry);
  const last = messages.at(-1);
  if (last?.role === 'user' && typeof last.content === 'string') last.content += `\n${text}`;
  else messages.push({ role: 'user', content: text });
}

function fromAssistant(
  { text, toolCalls = [] }: AssistantEntry,
  results: ReadonlyMap<string, ToolEntry>,
): ModelMessage[] {
  if (toolCalls.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }];
  const said = text === '' ? [] : [{ type: 'text' as const, text }];
  const calls = toolCalls.map(({ id, name, arguments: input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input,
  }));
  const answers = toolCalls.map(({ id, name }) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: name,
    output: { type: 'text' as const, value: results.get(id)?.result ?? NO_RESULT },
  }));
  return [
    { role: 'assistant', content: [...said, ...calls] },
    { role: 'tool', content: answers },
  ];
}
