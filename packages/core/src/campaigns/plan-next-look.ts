/** What a campaign that was just filled waits for: a call's end, a clock, or nothing any more. */
import { statement, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { WindowState } from './calling-window.rules.ts';
import type { StoredCampaign } from './campaign-rows.ts';
import { wakeCampaignAt } from './wake-campaign.ts';

const selectNextReady = statement<{ readyAt: Date }>(
  'next_ready_place',
  `select ready_at from dial_queue where campaign_id = $1 order by ready_at limit 1`,
);
/** An empty campaign has not run out of leads: it waits for its first. */
const completeIfDone = statement<{ id: number }>(
  'complete_campaign',
  `update campaigns set status = 'completed', updated_at = $2
   where id = $1 and exists (select 1 from leads where campaign_id = $1)
     and not exists (select 1 from leads where campaign_id = $1 and dial_state = 'dialing')
   returning id`,
);

/** Where the campaign stands after a fill. */
export interface FilledCampaign {
  campaign: StoredCampaign;
  window: WindowState;
  /** Calls that may still begin. */
  free: number;
  at: Date;
}

/** Holds the campaign's lock. At the limit nothing is planned: the end of any of its calls fills it again. */
export async function planNextLook(ctx: CoreContext, tx: Tx, filled: FilledCampaign): Promise<void> {
  const { campaign, window, free, at } = filled;
  const [next] = await tx.query(selectNextReady, [campaign.id]);
  if (!next) return complete(ctx, tx, campaign, at);
  if (free <= 0) return;
  const opensAt = window.isOpen ? at : window.opensAt;
  if (opensAt === null) {
    ctx.log.warn({ campaignId: campaign.id }, 'A campaign has leads and no hour in which it may call them');
    return;
  }
  await wakeCampaignAt(tx, campaign.id, next.readyAt > opensAt ? next.readyAt : opensAt);
}

/** Nobody waits and nobody is being called: there is nothing left to do, unless leads are to be added for ever. */
async function complete(ctx: CoreContext, tx: Tx, campaign: StoredCampaign, at: Date): Promise<void> {
  if (!campaign.isCompletedWithoutLeads) return;
  const [done] = await tx.query(completeIfDone, [campaign.id, at]);
  if (done) ctx.log.info({ campaignId: campaign.id }, 'A campaign is complete');
}
