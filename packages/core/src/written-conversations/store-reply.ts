/** Stores the reply to a message of a customer, if its request still has the lease, or gives the lease back. */
import type { TextReplyRecord } from '@parley/contracts';
import {
  json,
  LockMode,
  WrittenConversation,
  WrittenMessage,
  type Transaction,
  type WrittenConversationRow,
} from '@parley/db';
import { redactValues } from '../calls/redact-call.ts';
import { now, type CoreContext } from '../context.ts';
import { clipped, redactedDialogue } from './dialogue.rules.ts';
import { endConversation } from './end-conversation.ts';
import { findSettings, inactiveAfter, messagesOf } from './own-conversation.ts';
import { addReplyCost } from './reply-cost.ts';
import { removeOldest, type ReplyLease } from './take-message.ts';

/**
 * What became of a reply. `switched-off`: the assistant was switched off meanwhile. `empty`: the model gave no words and did
 * not end the conversation. `lost`: the lease has expired and another request answers, or the conversation was removed.
 */
export type StoredReply = 'stored' | 'switched-off' | 'empty' | 'lost';

/** A reply, and what it cost. */
type GivenReply = Pick<
  TextReplyRecord,
  'reply' | 'is_ended' | 'variables' | 'total_cost' | 'are_costs_complete'
>;

/** Stores the reply once, and ends the conversation where the assistant has ended it. */
export async function storeReply(
  ctx: CoreContext,
  lease: ReplyLease,
  given: GivenReply,
): Promise<StoredReply> {
  // A model may say anything, also what Postgres cannot store.
  const { reply, is_ended: isEnded, variables, ...costs } = JSON.parse(json(given)) as GivenReply;
  return ctx.db.transaction(async (tx) => {
    const row = await lockLeased(tx, lease);
    if (!row) return 'lost';
    // Also where the reply is dropped.
    await addReplyCost(tx, row.id, costs);
    if (row.replyLease !== lease.lease) return row.isAiEnabled ? 'lost' : 'switched-off';
    Object.assign(row, { replyLease: null, replyLeaseUntil: null });
    const text = clipped(reply.trim());
    if (text === '' && !isEnded) return 'empty';
    const at = now(ctx);
    const settings = await findSettings(tx, row);
    const redact = settings?.redact ?? [];
    row.collected = { ...row.collected, ...redactValues(variables, redact) };
    Object.assign(row, { updatedAt: at, ...(settings && { inactiveAt: inactiveAfter(at, settings) }) });
    if (text !== '') {
      const [content = ''] = redactedDialogue([{ role: 'assistant', content: text }], redact);
      tx.em.create(WrittenMessage, {
        conversationId: row.id,
        role: 'assistant',
        content,
        answeredId: lease.messageId,
        requestDigest: null,
        createdAt: at,
      });
      await tx.em.flush();
      await removeOldest(tx, row, await messagesOf(tx, row.id));
    }
    if (isEnded) await endConversation(ctx, tx, { row, settings, reason: 'assistant_ended' });
    return 'stored';
  });
}

/** After a failure the message stays without an answer, and the next request may answer at once. */
export async function releaseReply(ctx: CoreContext, lease: ReplyLease): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockLeased(tx, lease);
    if (row?.replyLease === lease.lease) Object.assign(row, { replyLease: null, replyLeaseUntil: null });
  });
}

async function lockLeased(
  tx: Transaction,
  { userId, uuid }: ReplyLease,
): Promise<WrittenConversationRow | null> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  return tx.em.findOne(WrittenConversation, { uuid, userId }, lock);
}
