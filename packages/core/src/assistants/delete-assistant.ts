/**
 * Deletes an assistant. For its owner that is final and at once: it is found nowhere, makes and takes no calls, its
 * campaigns stop and its number is free. Calls that are live finish; `erase-assistants.ts` erases the configuration
 * after the last of them.
 */
import { Assistant, statement, type CampaignRow, type Tx } from '@parley/db';
import { applyCampaignEvent } from '../campaigns/update-campaign-status.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { assistantNotFound, ownAssistants } from './own-assistant.ts';

type LockedCampaign = Pick<CampaignRow, 'id' | 'status'>;

/** SQL, because it locks. All campaigns, also those that are not running: a concurrent start must finish first. */
const lockCampaigns = statement<LockedCampaign>(
  'lock_campaigns_of_assistant',
  `select id, status from campaigns where user_id = $1 and assistant_id = $2 order by id for update`,
);

/** @throws DomainError `not-found`, also when it is deleted already or has another owner */
export async function deleteAssistant(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // Campaigns first, in the order of a campaign's start. A start that comes later finds the assistant deleted.
    const campaigns = await tx.query(lockCampaigns, [identity.userId, id]);
    const own = { id, ...ownAssistants(identity) };
    const deletion = { deletedAt: now(ctx), updatedAt: now(ctx) };
    if ((await tx.em.nativeUpdate(Assistant, own, deletion)) === 0) throw assistantNotFound();
    for (const campaign of campaigns) await stop(ctx, tx, campaign);
  });
}

/** Places no new calls from here on. Calls that were dialed already go on. */
async function stop(ctx: CoreContext, tx: Tx, campaign: LockedCampaign): Promise<void> {
  const status = await applyCampaignEvent(ctx, tx, campaign, 'stop');
  if (status !== campaign.status) await wakeCampaign(tx, campaign.id);
}
