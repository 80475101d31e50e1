/** Switches the assistant of a written conversation off, so that a person takes over, and on again. */
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { lockConversation } from './own-conversation.ts';

/**
 * A reply that is being prepared when the assistant is switched off is dropped. Messages that came while it was off are read
 * with the next message, and not answered by themselves.
 *
 * @throws DomainError `not-found`
 */
export async function switchAi(
  ctx: CoreContext,
  identity: Identity,
  { uuid, isEnabled }: { uuid: string; isEnabled: boolean },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockConversation(tx, identity, uuid);
    if (row.isAiEnabled === isEnabled) return;
    Object.assign(row, { isAiEnabled: isEnabled, updatedAt: now(ctx) });
    if (!isEnabled) Object.assign(row, { replyLease: null, replyLeaseUntil: null });
  });
}
