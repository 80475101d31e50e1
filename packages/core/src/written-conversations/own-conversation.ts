/** Reads and locks the written conversations of one owner. Those of other owners are treated as missing. */
import {
  Assistant,
  LockMode,
  WrittenConversation,
  WrittenMessage,
  type AssistantRow,
  type Transaction,
  type Tx,
  type WrittenConversationRow,
  type WrittenMessageRow,
} from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';

/** Conversations of an account that have not ended. */
const MAX_OPEN = 10_000;

/** The answer for a conversation that is missing or owned by another user. */
export function conversationNotFound(): DomainError {
  return new DomainError('not-found', 'Conversation not found');
}

/**
 * Locks a conversation until the transaction ends.
 *
 * @throws DomainError `not-found`
 */
export async function lockConversation(
  tx: Transaction,
  { userId }: Pick<Identity, 'userId'>,
  uuid: string,
): Promise<WrittenConversationRow> {
  const row = await tx.em.findOne(
    WrittenConversation,
    { uuid, userId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  if (!row) throw conversationNotFound();
  return row;
}

/** The settings of an assistant that written conversations use. */
export type WrittenSettings = Pick<
  AssistantRow,
  | 'id'
  | 'redact'
  | 'conversationInactivityMinutes'
  | 'conversationEndedWebhookUrl'
  | 'isConversationEndRepeated'
>;

/** @returns null when the assistant was deleted */
export async function findSettings(
  tx: Tx,
  { userId, assistantId }: Pick<WrittenConversationRow, 'userId' | 'assistantId'>,
): Promise<WrittenSettings | null> {
  return tx.em.findOne(Assistant, { id: assistantId, userId, deletedAt: null });
}

/** All stored messages, oldest first. */
export async function messagesOf(tx: Tx, conversationId: number): Promise<WrittenMessageRow[]> {
  return tx.em.find(WrittenMessage, { conversationId }, { orderBy: { id: 'asc' } });
}

/** When a conversation ends unless another message comes. */
export function inactiveAfter(at: Date, { conversationInactivityMinutes }: WrittenSettings): Date {
  return new Date(at.getTime() + conversationInactivityMinutes * 60_000);
}

/** Before a conversation begins or is reopened. @throws DomainError `conflict` */
export async function requireOpenBelowMaximum(tx: Tx, { userId }: Pick<Identity, 'userId'>): Promise<void> {
  const open = await tx.em.count(WrittenConversation, { userId, endedAt: null });
  if (open < MAX_OPEN) return;
  throw new DomainError(
    'conflict',
    `An account may have ${MAX_OPEN} open conversations. They end after the inactivity timeout of their assistants.`,
  );
}
