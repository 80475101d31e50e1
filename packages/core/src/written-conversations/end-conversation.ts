/** Ends written conversations and writes the webhook of the end to the outbox, both in one transaction. */
import type { WrittenEndReason } from '@parley/contracts';
import { LockMode, WrittenConversation, type Transaction, type WrittenConversationRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { insertDelivery } from '../outbox/delivery-state.ts';
import { wakeWebhooks } from '../outbox/wake-webhooks.ts';
import type { Identity } from '../users/identity.ts';
import { isEndReported } from './dialogue.rules.ts';
import { findSettings, lockConversation, messagesOf, type WrittenSettings } from './own-conversation.ts';
import { endedPayload } from './written-conversation-record.ts';

/** Ended by one query of the sweep. */
const BATCH = 100;

/**
 * @param ending - `row`: locked and open; `settings`: null when the assistant was deleted, which reports nothing
 */
export async function endConversation(
  ctx: CoreContext,
  tx: Transaction,
  {
    row,
    settings,
    reason,
  }: { row: WrittenConversationRow; settings: WrittenSettings | null; reason: WrittenEndReason },
): Promise<void> {
  const at = now(ctx);
  Object.assign(row, {
    endedAt: at,
    endedReason: reason,
    replyLease: null,
    replyLeaseUntil: null,
    updatedAt: at,
  });
  const url = settings?.conversationEndedWebhookUrl ?? null;
  if (!settings || url === null || !isEndReported(row, settings)) return;
  row.endReportedAt = at;
  await insertDelivery(tx, {
    call: null,
    userId: row.userId,
    assistantId: row.assistantId,
    event: 'conversation.ended',
    target: 'conversation',
    url,
    payload: { ...endedPayload(row, await messagesOf(tx, row.id)) },
    at,
  });
  await wakeWebhooks(tx);
}

/**
 * A person ends a conversation; one that has ended stays as it is. A reply that is being prepared is dropped.
 *
 * @throws DomainError `not-found`
 */
export async function endOwnConversation(ctx: CoreContext, identity: Identity, uuid: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockConversation(tx, identity, uuid);
    if (row.endedAt !== null) return;
    await endConversation(ctx, tx, { row, settings: await findSettings(tx, row), reason: 'person_ended' });
  });
}

/**
 * Ends the conversations in which nothing was written for as long as their assistants wait. May run in several workers at
 * once, and may be interrupted: each conversation ends in a transaction of its own.
 *
 * @returns how many it has ended
 */
export async function endInactiveConversations(ctx: CoreContext): Promise<number> {
  for (let total = 0; ;) {
    const due = await ctx.db.em.find(
      WrittenConversation,
      { endedAt: null, inactiveAt: { $lte: now(ctx) } },
      { fields: ['id'], orderBy: { inactiveAt: 'asc' }, limit: BATCH },
    );
    for (const { id } of due) total += Number(await endIfInactive(ctx, id));
    if (due.length < BATCH) return total;
  }
}

async function endIfInactive(ctx: CoreContext, id: number): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const due = { id, endedAt: null, inactiveAt: { $lte: now(ctx) } };
    const row = await tx.em.findOne(WrittenConversation, due, { lockMode: LockMode.PESSIMISTIC_WRITE });
    // Another worker has ended it, or a message has come.
    if (!row) return false;
    await endConversation(ctx, tx, { row, settings: await findSettings(tx, row), reason: 'inactivity' });
    return true;
  });
}
