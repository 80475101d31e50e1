/** Deletes a written conversation with its messages and its webhooks, which contain them. */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { lockConversation } from './own-conversation.ts';

/** SQL, because deliveries have no entity for the ORM. `$2`: when the conversation began, which the index finds. */
const deleteDeliveries = statement(
  'delete_deliveries_of_conversation',
  `delete from deliveries where user_id = $1 and created_at >= $2 and target = 'conversation'
     and payload->>'conversation_id' = $3`,
);

/**
 * Also while a reply is being prepared, which is then dropped, and before a webhook is delivered, which is then not sent.
 *
 * @throws DomainError `not-found`
 */
export async function deleteConversation(ctx: CoreContext, identity: Identity, uuid: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockConversation(tx, identity, uuid);
    await tx.query(deleteDeliveries, [row.userId, row.createdAt, uuid]);
    tx.em.remove(row);
  });
}
