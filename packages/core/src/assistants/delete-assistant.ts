/**
 * Deletes an assistant. For its owner that is final and at once: it is found nowhere, makes and takes no calls, its
 * campaigns stop and its number is free. Calls that are live finish; `erase-assistants.ts` erases the configuration
 * after the last of them.
 */
import { statement, type CampaignRow, type Tx } from '@parley/db';
import { applyCampaignEvent } from '../campaigns/update-campaign-status.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { assistantNotFound } from './stored-assistant.ts';

type LockedCampaign = Pick<CampaignRow, 'id' | 'status'>;

/** All of them, also those that do not run: somebody may be starting one, which must be over before we look. */
const lockCampaigns = statement<LockedCampaign>(
  'lock_campaigns_of_assistant',
  `select id, status from campaigns where user_id = $1 and assistant_id = $2 order by id for update`,
);
const markDeleted = statement<{ id: number }>(
  'delete_assistant',
  `update assistants set deleted_at = $3, updated_at = $3
   where id = $1 and user_id = $2 and deleted_at is null returning id`,
);

/** @throws DomainError `not-found`, also when it is deleted already or somebody else's */
export async function deleteAssistant(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // Campaigns first, as whoever starts one does; a start that comes later finds the assistant deleted.
    const campaigns = await tx.query(lockCampaigns, [identity.userId, id]);
    const [deleted] = await tx.query(markDeleted, [id, identity.userId, now(ctx)]);
    if (!deleted) throw assistantNotFound();
    for (const campaign of campaigns) await stop(ctx, tx, campaign);
  });
}

/** Nothing new leaves from here on. What was dialed already goes on. */
async function stop(ctx: CoreContext, tx: Tx, campaign: LockedCampaign): Promise<void> {
  const status = await applyCampaignEvent(ctx, tx, campaign, 'stop');
  if (status !== campaign.status) await wakeCampaign(tx, campaign.id);
}
