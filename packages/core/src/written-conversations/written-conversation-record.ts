/** The only translation of the rows of written conversations to the API and to the webhook. */
import {
  isoMicroseconds,
  type ConversationEndedPayload,
  type WrittenConversationDetails,
  type WrittenConversationRecord,
  type WrittenMessageRecord,
} from '@parley/contracts';
import type { WrittenConversationRow, WrittenMessageRow } from '@parley/db';
import { transcriptOf } from './dialogue.rules.ts';

/** What the row does not contain. */
interface About {
  assistantName: string;
  messageCount: number;
}

/** The record of lists. */
export function conversationRecord(
  row: WrittenConversationRow,
  { assistantName, messageCount }: About,
): WrittenConversationRecord {
  return {
    id: row.uuid,
    assistant_id: row.assistantId,
    assistant_name: assistantName,
    type: row.type,
    status: row.endedAt === null ? 'open' : 'ended',
    external_identifier: row.customerIdentifier,
    customer_phone: row.customerPhoneNumber,
    variables: row.variables,
    message_count: messageCount,
    total_cost: row.totalCost,
    are_costs_complete: row.areCostsComplete,
    ai_enabled: row.isAiEnabled,
    ended_reason: row.endedReason,
    ended_at: row.endedAt && isoMicroseconds(row.endedAt),
    created_at: isoMicroseconds(row.createdAt),
    updated_at: isoMicroseconds(row.updatedAt),
  };
}

/** The record with all messages. */
export function conversationDetails(
  row: WrittenConversationRow,
  { assistantName, messages }: { assistantName: string; messages: readonly WrittenMessageRow[] },
): WrittenConversationDetails {
  return {
    ...conversationRecord(row, { assistantName, messageCount: messages.length }),
    extracted_variables: row.collected,
    history: messages.map(messageRecord),
  };
}

/** A message. */
export function messageRecord({ role, content, createdAt }: WrittenMessageRow): WrittenMessageRecord {
  return { role, content, created_at: isoMicroseconds(createdAt) };
}

/** @param ended - the conversation that has just ended */
export function endedPayload(
  ended: WrittenConversationRow,
  messages: readonly WrittenMessageRow[],
): ConversationEndedPayload {
  const { endedAt, endedReason } = ended;
  if (endedAt === null || endedReason === null) throw new Error('A webhook reports ended conversations only');
  return {
    event: 'conversation.ended',
    conversation_id: ended.uuid,
    type: ended.type,
    assistant_id: ended.assistantId,
    external_identifier: ended.customerIdentifier,
    customer_phone: ended.customerPhoneNumber,
    customer_name: nameIn(ended.variables),
    sender: null,
    status: 'ended',
    ended_reason: endedReason,
    extracted_variables: ended.collected,
    input_variables: ended.variables,
    message_count: messages.length,
    transcript: messages.map(({ role, content, createdAt }) => ({
      role,
      content,
      timestamp: isoMicroseconds(createdAt),
      timestamp_unix: Math.floor(createdAt.getTime() / 1000),
    })),
    formatted_transcript: transcriptOf(messages),
    created_at: isoMicroseconds(ended.createdAt),
    ended_at: isoMicroseconds(endedAt),
  };
}

function nameIn({ name, customer_name: customerName }: Record<string, unknown>): string | null {
  return (
    ([name, customerName].find((text) => typeof text === 'string' && text !== '') as string | undefined) ??
    null
  );
}
