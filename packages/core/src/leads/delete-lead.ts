/** Removes a lead with its secondary contacts. Its calls stay in the history. */
import { Campaign, Lead, LockMode } from '@parley/db';
import { endCampaignCalls, findLeadCalls } from '../lifecycle/end-campaign-calls.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { leadNotFound } from './find-lead.ts';

/** @throws DomainError `not-found`, also for another user's lead */
export async function deleteLead(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  const callIds = await ctx.db.transaction(async (tx) => {
    const own = { id, userId: identity.userId };
    const lead = await tx.em.findOne(Lead, own, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const campaign = lead && (await tx.em.findOne(Campaign, { id: lead.campaignId, deletedAt: null }));
    if (!campaign) throw leadNotFound();
    const live = await findLeadCalls(tx, lead);
    // Its contacts and its entry in the dial queue go with it.
    tx.em.remove(lead);
    // It may have been the last lead that the campaign waited for.
    if (campaign.status === 'in-progress') await wakeCampaign(tx, lead.campaignId);
    return live;
  });
  await endCampaignCalls(ctx, { callIds, reason: 'lead_deleted' });
}
