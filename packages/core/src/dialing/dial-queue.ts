/**
 * The queue of what is still to be dialed: one narrow row for a lead, which names the number whose turn it is (the lead's
 * own, or a secondary contact's) and the round. A claim deletes the row, a retry inserts it again with a later instant.
 */
import { statement, type Tx } from '@parley/db';

/** What the queue needs to know of a lead. */
export interface QueuedLead {
  /** The lead, or the secondary contact whose turn it is. */
  id: number;
  campaignId: number;
  /** Rounds made so far. */
  attempts: number;
}

const upsertEntry = statement(
  'queue_lead',
  `insert into dial_queue (campaign_id, ready_at, lead_id, attempt) values ($1, $2, $3, $4)
   on conflict (lead_id) do update
   set campaign_id = excluded.campaign_id, ready_at = excluded.ready_at, attempt = excluded.attempt`,
);
const FAMILY = '(select id from leads where id = $1 or parent_id = $1)';
const deleteEntries = statement('unqueue_lead', `delete from dial_queue where lead_id in ${FAMILY}`);
const moveEntries = statement(
  'move_queued_lead',
  `update dial_queue set campaign_id = $2 where lead_id in ${FAMILY}`,
);

/**
 * Puts a lead into its campaign's queue, in place of what was planned for the same number. Nobody looks before the
 * campaign is woken, see wake-campaign.ts.
 *
 * @param readyAt - no dial before this instant
 */
export async function queueLead(tx: Tx, lead: QueuedLead, readyAt: Date): Promise<void> {
  await tx.query(upsertEntry, [lead.campaignId, readyAt, lead.id, lead.attempts + 1]);
}

/** Takes a lead out of the queue, whichever of its numbers waits there; none is fine. */
export async function unqueueLead(tx: Tx, lead: Pick<QueuedLead, 'id'>): Promise<void> {
  await tx.query(deleteEntries, [lead.id]);
}

/** Has a queued lead wait in another campaign, as long as it would have in the old one. */
export async function moveQueuedLead(tx: Tx, lead: Pick<QueuedLead, 'id' | 'campaignId'>): Promise<void> {
  await tx.query(moveEntries, [lead.id, lead.campaignId]);
}
