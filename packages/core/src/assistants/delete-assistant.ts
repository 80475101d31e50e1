/**
 * Deletes an assistant. For its owner that is final and at once: it is found nowhere, makes and takes no calls, its
 * campaigns stop and its number is free. Calls that are live finish; `erase-assistants.ts` erases the configuration
 * after the last of them.
 */
import { Assistant, AssistantVersion } from '@parley/db';
import { stopCampaigns } from '../dialing/stop-campaigns.ts';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { assistantNotFound, ownAssistants } from './own-assistant.ts';

/** @throws DomainError `not-found`, also when it is deleted already or has another owner */
export async function deleteAssistant(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // Campaigns first, in the order of a campaign's start. A start that comes later finds the assistant deleted.
    await stopCampaigns(ctx, tx, { userId: identity.userId, assistantId: id });
    const own = { id, ...ownAssistants(identity) };
    const deletion = { deletedAt: now(ctx), updatedAt: now(ctx) };
    if ((await tx.em.nativeUpdate(Assistant, own, deletion)) === 0) throw assistantNotFound();
    await tx.em.nativeDelete(AssistantVersion, { assistantId: id });
  });
}
