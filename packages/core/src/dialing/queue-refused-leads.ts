/** Queues leads again whose numbers the operator's settings forbade. SQL, because it may be many, and the queue is the dialer's. */
import { statement, type Tx } from '@parley/db';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

const queueRefused = statement<{ campaignId: number }>(
  'queue_refused_leads',
  `with unblocked as (
     update leads set dial_state = 'waiting', dial_reason = null
     where dial_state = 'blocked' and dial_reason in ('country_not_allowed', 'number_type_blocked')
     returning id, campaign_id, parent_id, attempts
   ), queued as (
     insert into dial_queue (campaign_id, ready_at, lead_id, attempt)
     select campaign_id, $1, id, attempts + 1 from unblocked where parent_id is null
     on conflict (lead_id) do nothing
   )
   select distinct campaign_id from unblocked`,
);

/** Of all users. The dial rule decides again, and may block them again. */
export async function queueRefusedLeads(tx: Tx, at: Date): Promise<void> {
  for (const { campaignId } of await tx.query(queueRefused, [at])) await wakeCampaign(tx, campaignId);
}
