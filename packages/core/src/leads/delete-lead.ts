/** Removes a lead with its secondary contacts. Nobody calls it any more; its calls stay in the history. */
import { statement } from '@parley/db';
import { endCampaignCalls, findLeadCalls } from '../lifecycle/end-campaign-calls.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { leadNotFound } from './find-lead.ts';

const lockLead = statement<{ id: number; campaignId: number; isRunning: boolean }>(
  'lock_lead_to_delete',
  `select l.id, l.campaign_id, c.status = 'in-progress' as is_running from leads l join campaigns c on c.id = l.campaign_id
   where l.id = $1 and l.user_id = $2 and c.deleted_at is null for update of l`,
);
/** Its contacts and its place in the queue go with it. */
const removeLead = statement('delete_lead', `delete from leads where id = $1`);

/** @throws DomainError `not-found`, also for somebody else's lead */
export async function deleteLead(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  const callIds = await ctx.db.transaction(async (tx) => {
    const [lead] = await tx.query(lockLead, [id, identity.userId]);
    if (!lead) throw leadNotFound();
    const live = await findLeadCalls(tx, lead);
    await tx.query(removeLead, [id]);
    // It may have been the last one that the campaign waited for.
    if (lead.isRunning) await wakeCampaign(tx, lead.campaignId);
    return live;
  });
  await endCampaignCalls(ctx, { callIds, reason: 'lead_deleted' });
}
