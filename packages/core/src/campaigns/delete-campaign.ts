/** Stops a campaign for good and removes its leads. Its calls stay in the history, with the campaign's name. */
import { pastFrozenProcesses } from '../capacity/past-frozen-processes.ts';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import type { Identity } from '../users/identity.ts';
import { withdrawCalls, findCampaignCalls } from '../lifecycle/withdraw-calls.ts';
import { lockOwnCampaign } from './find-campaign.ts';
import { removeLeads } from './remove-leads.ts';
import { applyCampaignEvent } from '../dialing/campaign-status.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

/** The job that repeats an interrupted deletion runs after this time, milliseconds. */
const SAFETY_DELAY_MS = 60_000;

/** @throws DomainError `not-found`, also for another user's campaign */
export async function deleteCampaign(ctx: CoreContext, identity: Identity, id: number): Promise<void> {
  await pastFrozenProcesses(ctx, async (tx) => {
    const campaign = await lockOwnCampaign(tx, identity, id);
    applyCampaignEvent(ctx, campaign, 'stop');
    campaign.deletedAt = now(ctx);
    campaign.updatedAt = now(ctx);
    const runAt = new Date(ctx.clock.now() + SAFETY_DELAY_MS);
    await enqueue(tx, 'remove_leads', { campaignId: id }, { runAt });
    await wakeCampaign(tx, id);
  });
  const callIds = await findCampaignCalls(ctx.db, id);
  await withdrawCalls(ctx, { callIds, reason: 'campaign_deleted' });
  await removeLeads(ctx, id);
}
