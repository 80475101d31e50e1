/** Counts the leads in the queue of a campaign that the dial rule would block, before the campaign claims any of them. */
import { statement, type Tx } from '@parley/db';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import { UNLIMITED_CAPACITY } from '../capacity/call-capacity.ts';
import { loadRouteOptions } from '../capacity/load-route-options.ts';
import { now, type CoreContext } from '../context.ts';
import { readCampaign } from '../dialing/campaign-rows.ts';
import { dialNumberOf } from '../dialing/dial-input.ts';
import { BLOCKING_REASONS, decideDial } from '../dialing/dial-rule.rules.ts';
import { loadNumbers } from '../dialing/load-numbers.ts';

interface QueuedLead {
  leadId: number;
  attempt: number;
  readyAt: Date;
}

/** Longer queues are left to the claims, so that a start takes no more than a moment. */
const MOST_LEADS = 1000;
/** Usually the first lead may be called, so that the others are not read. */
const BATCH = 50;

const selectQueue = statement<QueuedLead>(
  'queue_of_campaign',
  `select lead_id, attempt, ready_at from dial_queue where campaign_id = $1
   order by ready_at, lead_id limit ${MOST_LEADS + 1}`,
);

/** @returns the number of queued leads if none of them may be called; otherwise, and for longer queues, 0 */
export async function countUncallable(ctx: CoreContext, tx: Tx, campaignId: number): Promise<number> {
  const campaign = await readCampaign(tx, campaignId);
  const queue = await tx.query(selectQueue, [campaignId]);
  if (!campaign || queue.length > MOST_LEADS) return 0;
  const input = {
    campaign: { ...campaign, status: 'in-progress' as const },
    configuration: await freezeConfiguration(tx, campaign),
    routeOptions: await loadRouteOptions(tx, campaign.userId),
    capacity: UNLIMITED_CAPACITY,
  };
  const at = now(ctx);
  for (let start = 0; start < queue.length; start += BATCH) {
    const batch = queue.slice(start, start + BATCH);
    const families = await loadNumbers(
      tx,
      batch.map(({ leadId }) => leadId),
    );
    for (const { leadId, attempt, readyAt } of batch) {
      const verdict = decideDial({
        campaign: input.campaign,
        isAssistantReady: true,
        numbers: (families.get(leadId) ?? []).map((number) => dialNumberOf(input, number)),
        turnLeadId: leadId,
        round: attempt,
        readyAt,
        freeSlots: { campaign: 1, account: 1, fleet: 1 },
        now: at,
        databaseNow: at,
      });
      if (verdict.do !== 'never' || !BLOCKING_REASONS.has(verdict.reason)) return 0;
    }
  }
  return queue.length;
}
