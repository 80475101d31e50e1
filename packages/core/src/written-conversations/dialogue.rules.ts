/** What the model reads of a written conversation, what is stored of a message, and when the end is reported. */
import { MAX_WRITTEN_CHARACTERS, MAX_WRITTEN_MESSAGES, type RedactedKind } from '@parley/contracts';
import { cardsInParts, redactText } from '../calls/redact-text.rules.ts';

/** A message, without its place in the conversation. */
export interface DialogueMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** The stored messages of a conversation; older ones are removed. */
export const MAX_STORED_MESSAGES = 500;
/** Characters of the messages that the model reads, about 10,000 tokens. */
const MAX_READ_CHARACTERS = 40_000;

/**
 * The newest messages that fit into a request for a reply.
 *
 * @param messages - oldest first; the last one is the one to answer
 */
export function messagesForModel(messages: readonly DialogueMessage[]): DialogueMessage[] {
  const read: DialogueMessage[] = [];
  let characters = 0;
  for (const { role, content } of messages.toReversed().slice(0, MAX_WRITTEN_MESSAGES)) {
    const text = clipped(content);
    characters += text.length;
    if (read.length > 0 && characters > MAX_READ_CHARACTERS) break;
    read.unshift({ role, content: text });
  }
  return read;
}

/** At most as many characters as a message of a dialogue may have. */
export function clipped(text: string): string {
  if (text.length <= MAX_WRITTEN_CHARACTERS) return text;
  return Array.from(text).slice(0, MAX_WRITTEN_CHARACTERS).join('');
}

/**
 * The messages without what the assistant wants redacted. Card numbers that the customer writes in several messages are
 * found across them.
 *
 * @param messages - oldest first
 */
export function redactedDialogue(
  messages: readonly DialogueMessage[],
  kinds: readonly RedactedKind[],
): string[] {
  if (kinds.length === 0) return messages.map(({ content }) => content);
  const ofCustomer = messages.map(({ role, content }) => (role === 'user' ? content : ''));
  const cards = cardsInParts(ofCustomer);
  return messages.map(({ content }, index) => redactText(content, kinds, cards[index]));
}

/** One message a line. */
export function transcriptOf(messages: readonly DialogueMessage[]): string {
  return messages.map(({ role, content }) => `${role === 'user' ? 'Customer' : 'AI'}: ${content}`).join('\n');
}

/** Whether the end of a conversation is reported. */
export function isEndReported(
  conversation: { lastMessageAt: Date | null; endReportedAt: Date | null },
  settings: { conversationEndedWebhookUrl: string | null; isConversationEndRepeated: boolean },
): boolean {
  // A conversation in which the customer has written nothing has no content.
  if (settings.conversationEndedWebhookUrl === null || conversation.lastMessageAt === null) return false;
  return conversation.endReportedAt === null || settings.isConversationEndRepeated;
}
