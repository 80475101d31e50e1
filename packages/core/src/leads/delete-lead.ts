/**
 * Removes a lead with its secondary contacts, or one of these: then the round of its lead goes on with the next number.
 * The calls stay in the history.
 */
import { Campaign, Lead } from '@parley/db';
import { withdrawCalls, findLeadCalls } from '../lifecycle/withdraw-calls.ts';
import { lockNumbersOf } from '../dialing/load-numbers.ts';
import { skipContact } from '../dialing/settle-lead.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { leadNotFound } from './find-lead.ts';

/** @throws DomainError `not-found`, also for another user's lead */
export async function deleteLead(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  const callIds = await ctx.db.transaction(async (tx) => {
    // The contacts too, so that no claim calls one of them meanwhile.
    await lockNumbersOf(tx, id);
    const lead = await tx.em.findOne(Lead, { id, userId: identity.userId });
    const campaign = lead && (await tx.em.findOne(Campaign, { id: lead.campaignId, deletedAt: null }));
    if (!campaign) throw leadNotFound();
    const live = await findLeadCalls(tx, lead);
    if (lead.parentId !== null) await skipContact(ctx, tx, lead);
    // Its contacts and its entry in the dial queue go with it.
    tx.em.remove(lead);
    // It may have been the last lead that the campaign waited for.
    if (campaign.status === 'in-progress') await wakeCampaign(tx, lead.campaignId);
    return live;
  });
  await withdrawCalls(ctx, { callIds, reason: 'lead_deleted' });
}
