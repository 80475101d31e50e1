/**
 * Begins written conversations: with what the assistant says first, or, for a customer identifier, with the first message of
 * the customer (take-message.ts).
 */
import { randomUUID } from 'node:crypto';
import type { WrittenConversationType, WrittenMessageRecord } from '@parley/contracts';
import {
  Assistant,
  statement,
  WrittenConversation,
  WrittenMessage,
  type Transaction,
  type WrittenConversationRow,
} from '@parley/db';
import { assistantNotFound, ownAssistants } from '../assistants/own-assistant.ts';
import { now, type CoreContext } from '../context.ts';
import { readAccountNumbers } from '../users/account-number.ts';
import type { Identity } from '../users/identity.ts';
import { clipped, redactedDialogue } from './dialogue.rules.ts';
import { inactiveAfter, requireOpenBelowMaximum, type WrittenSettings } from './own-conversation.ts';
import { addReplyCost } from './reply-cost.ts';
import { messageRecord } from './written-conversation-record.ts';

/**
 * @param reference - the `id` or the `uuid` of an assistant
 * @returns its id
 * @throws DomainError `not-found`, also when it is deleted or has another owner
 */
export async function findWrittenAssistant(
  ctx: CoreContext,
  identity: Identity,
  reference: number | string,
): Promise<number> {
  const named = typeof reference === 'number' ? { id: reference } : { uuid: reference };
  const row = await ctx.db.em.findOne(Assistant, { ...named, ...ownAssistants(identity) });
  if (!row) throw assistantNotFound();
  return row.id;
}

type OpeningCost = Parameters<typeof addReplyCost>[2];

/** A new conversation without a customer identifier. */
export interface NewConversation {
  assistantId: number;
  type: Exclude<WrittenConversationType, 'api'>;
  variables: Record<string, unknown>;
  /** What the assistant says first, and what a scripted dialogue has stored. */
  opening: { text: string; collected: Record<string, unknown>; cost: OpeningCost };
}

/** @throws DomainError `not-found` for the assistant; `conflict` with too many open conversations */
export async function beginConversation(
  ctx: CoreContext,
  identity: Identity,
  { assistantId, type, variables, opening }: NewConversation,
): Promise<{ uuid: string; history: WrittenMessageRecord[] }> {
  return ctx.db.transaction(async (tx) => {
    const settings = await requireSettings(tx, identity, assistantId);
    await requireOpenBelowMaximum(tx, identity);
    const at = now(ctx);
    const row = tx.em.create(WrittenConversation, {
      ...blankConversation(identity, settings, at),
      type,
      variables,
      collected: opening.collected,
      customerIdentifier: null,
      customerPhoneNumber: null,
    });
    await tx.em.flush();
    await addReplyCost(tx, row.id, opening.cost);
    const text = clipped(opening.text.trim());
    if (text === '') return { uuid: row.uuid, history: [] };
    const [content = ''] = redactedDialogue([{ role: 'assistant', content: text }], settings.redact);
    const message = tx.em.create(WrittenMessage, {
      conversationId: row.id,
      role: 'assistant',
      content,
      answeredId: null,
      requestDigest: null,
      createdAt: at,
    });
    return { uuid: row.uuid, history: [messageRecord(message)] };
  });
}

/** The customer of a conversation that the server keeps by an identifier of the owner's software. */
export interface Customer {
  assistantId: number;
  customerIdentifier: string;
}

/** SQL, because the index decides between the first messages of a customer that come at once. */
const insertForCustomer = statement<{ uuid: string }>(
  'insert_conversation_of_customer',
  `insert into written_conversations (uuid, user_id, assistant_id, type, customer_identifier, customer_phone_number,
     variables, collected, is_ai_enabled, inactive_at, created_at, updated_at)
   values ($1, $2, $3, 'api', $4, $5, '{}', '{}', true, $6, $7, $7)
   on conflict (user_id, customer_identifier, assistant_id) where customer_identifier is not null do nothing
   returning uuid`,
);
const findForCustomer = statement<{ uuid: string }>(
  'find_conversation_of_customer',
  `select uuid from written_conversations where user_id = $1 and customer_identifier = $2 and assistant_id = $3`,
);

/**
 * The conversation of a customer with an assistant; a new one if there is none.
 *
 * @returns its uuid
 * @throws DomainError `not-found` for the assistant; `conflict` with too many open conversations
 */
export async function conversationOfCustomer(
  ctx: CoreContext,
  tx: Transaction,
  identity: Identity,
  { assistantId, customerIdentifier }: Customer,
): Promise<string> {
  const settings = await requireSettings(tx, identity, assistantId);
  const key = [identity.userId, customerIdentifier, assistantId];
  const [known] = await tx.query(findForCustomer, key);
  if (known) return known.uuid;
  await requireOpenBelowMaximum(tx, identity);
  const [phoneNumber = null] = await readAccountNumbers(tx, identity.userId, [customerIdentifier]);
  const at = now(ctx);
  const [made] = await tx.query(insertForCustomer, [
    randomUUID(),
    identity.userId,
    assistantId,
    customerIdentifier,
    phoneNumber,
    inactiveAfter(at, settings),
    at,
  ]);
  const [row] = made ? [made] : await tx.query(findForCustomer, key);
  if (!row) throw new Error('A conversation was removed while its customer wrote');
  return row.uuid;
}

async function requireSettings(
  tx: Transaction,
  identity: Identity,
  assistantId: number,
): Promise<WrittenSettings> {
  const row = await tx.em.findOne(Assistant, { id: assistantId, ...ownAssistants(identity) });
  if (!row) throw assistantNotFound();
  return row;
}

function blankConversation(
  { userId }: Identity,
  settings: WrittenSettings,
  at: Date,
): Omit<
  WrittenConversationRow,
  'id' | 'type' | 'variables' | 'collected' | 'customerIdentifier' | 'customerPhoneNumber'
> {
  return {
    uuid: randomUUID(),
    userId,
    assistantId: settings.id,
    isAiEnabled: true,
    replyLease: null,
    replyLeaseUntil: null,
    lastMessageAt: null,
    inactiveAt: inactiveAfter(at, settings),
    endedAt: null,
    endedReason: null,
    endReportedAt: null,
    totalCost: 0,
    areCostsComplete: true,
    createdAt: at,
    updatedAt: at,
  };
}
