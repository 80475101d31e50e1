/** Stops a campaign for good and removes its leads. Its calls stay in the history, under the name they carry. */
import { statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import type { Identity } from '../users/identity.ts';
import { endCampaignCalls, findCampaignCalls } from '../lifecycle/end-campaign-calls.ts';
import { lockOwnCampaign } from './find-campaign.ts';
import { removeLeads } from './remove-leads.ts';
import { applyCampaignEvent } from './update-campaign-status.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

/** How long a deletion has before the job looks whether it was interrupted, milliseconds. */
const SAFETY_DELAY_MS = 60_000;

const markDeleted = statement(
  'delete_campaign',
  `update campaigns set deleted_at = $2, updated_at = $2 where id = $1`,
);

/** @throws DomainError `not-found`, also for somebody else's campaign */
export async function deleteCampaign(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const campaign = await lockOwnCampaign(tx, identity, id);
    await applyCampaignEvent(ctx, tx, campaign, 'stop');
    await tx.query(markDeleted, [id, now(ctx)]);
    const runAt = new Date(ctx.clock.now() + SAFETY_DELAY_MS);
    await enqueue(tx, 'remove_leads', { campaignId: id }, { runAt });
    await wakeCampaign(tx, id);
  });
  const callIds = await findCampaignCalls(ctx.db, id);
  await endCampaignCalls(ctx, { callIds, reason: 'campaign_deleted' });
  await removeLeads(ctx, id);
}
