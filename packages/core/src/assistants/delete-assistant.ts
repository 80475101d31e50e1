/**
 * Deletes an assistant. For its owner that is final and at once: it is found nowhere, makes and takes no calls, its
 * campaigns stop and its number is free. Calls that are live finish; `erase-assistants.ts` erases the configuration
 * after the last of them.
 */
import { Assistant, Campaign, LockMode } from '@parley/db';
import { applyCampaignEvent } from '../dialing/campaign-status.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { assistantNotFound, ownAssistants } from './own-assistant.ts';

const IN_LOCK_ORDER = { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/** @throws DomainError `not-found`, also when it is deleted already or has another owner */
export async function deleteAssistant(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // Campaigns first, in the order of a campaign's start. A start that comes later finds the assistant deleted.
    // All of them, also those that are not running: a concurrent start must finish first.
    const used = { userId: identity.userId, assistantId: id };
    const campaigns = await tx.em.find(Campaign, used, IN_LOCK_ORDER);
    const own = { id, ...ownAssistants(identity) };
    const deletion = { deletedAt: now(ctx), updatedAt: now(ctx) };
    if ((await tx.em.nativeUpdate(Assistant, own, deletion)) === 0) throw assistantNotFound();
    // No new calls from here on. Calls that were dialed already go on.
    for (const campaign of campaigns) {
      const before = campaign.status;
      if (applyCampaignEvent(ctx, campaign, 'stop') !== before) await wakeCampaign(tx, campaign.id);
    }
  });
}
