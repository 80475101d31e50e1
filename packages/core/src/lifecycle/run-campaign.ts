/**
 * The job `run_campaign`: a campaign was woken by a change, a clock or the sweep. The other occasion on which a campaign
 * dials is the end of one of its calls: `refill-campaign.ts`.
 */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { StoredCampaign } from '../dialing/campaign-rows.ts';
import { withdrawCalls, findCampaignCalls } from './withdraw-calls.ts';
import { fillCampaign } from '../dialing/fill-campaign.ts';

const selectState = statement<Pick<StoredCampaign, 'status' | 'isDeleted'>>(
  'campaign_to_run',
  `select status, deleted_at is not null as is_deleted from campaigns where id = $1`,
);

/** Fills a campaign in progress; ends the unanswered calls of one that was stopped or deleted. */
export async function runCampaign(ctx: CoreContext, campaignId: number): Promise<void> {
  const [campaign] = await ctx.db.query(selectState, [campaignId]);
  if (!campaign) return;
  if (campaign.status === 'stopped' || campaign.isDeleted) {
    const reason = campaign.isDeleted ? 'campaign_deleted' : 'campaign_stopped';
    const callIds = await findCampaignCalls(ctx.db, campaignId);
    return withdrawCalls(ctx, { callIds, reason });
  }
  await fillCampaign(ctx, { campaignId });
}
