/** The only writer of a campaign's status (`campaign-state.rules.ts`). A new campaign is a draft (`create-campaign.ts`). */
import type { CampaignStatus } from '@parley/contracts';
import { statement, type CampaignRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { nextCampaignStatus } from './campaign-state.rules.ts';

/**
 * A campaign without leads is not complete: it waits for its first lead. Neither is a campaign whose leads are still
 * being imported; the sweep checks it again each minute. Settling a call moves its lead from `dialing` to the queue, so
 * one statement checks both.
 */
const completeIfDone = statement<{ id: number }>(
  'complete_campaign',
  `update campaigns set status = $4, updated_at = $2
   where id = $1 and exists (select 1 from leads where campaign_id = $1)
     and not exists (select 1 from dial_queue where campaign_id = $1)
     and not exists (select 1 from leads where campaign_id = $1 and dial_state = 'dialing')
     and not exists (
       select 1 from lead_imports where campaign_id = $1 and state = 'running' and updated_at > $3)
   returning id`,
);

/**
 * Starts or stops a campaign, as far as the state table allows.
 *
 * @param campaign - loaded and locked by the transaction, which writes the change
 */
export function applyCampaignEvent(
  ctx: CoreContext,
  campaign: Pick<CampaignRow, 'status' | 'updatedAt'>,
  event: 'start' | 'stop',
): CampaignStatus {
  const status = nextCampaignStatus(campaign.status, event);
  if (status !== campaign.status) Object.assign(campaign, { status, updatedAt: now(ctx) });
  return status;
}

/**
 * Completes a campaign in which no lead is queued, being called or being imported.
 *
 * @param campaign - locked by the transaction
 * @param importsSince - imports that were updated after this time are still running
 * @returns whether it was completed
 */
export async function completeCampaign(
  tx: Tx,
  campaign: Pick<CampaignRow, 'id' | 'status'>,
  { at, importsSince }: { at: Date; importsSince: Date },
): Promise<boolean> {
  const status = nextCampaignStatus(campaign.status, 'finish');
  if (status === campaign.status) return false;
  return (await tx.query(completeIfDone, [campaign.id, at, importsSince, status])).length > 0;
}
