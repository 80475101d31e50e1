/**
 * The dial queue: one narrow row per lead, which names the number whose turn it is (the lead's own or a secondary
 * contact's) and the round. A claim deletes the row, a retry inserts it again with a later time.
 */
import { statement, type Tx } from '@parley/db';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

/** The fields of a lead that the queue stores. */
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
/** An entry of the lead or one of its contacts was written by an update of the lead's owner and is kept. */
const insertEntry = statement(
  'queue_lead_again',
  `insert into dial_queue (campaign_id, ready_at, lead_id, attempt)
   select l.campaign_id, $2, l.id, $3 from leads l where l.id = $1
     and not exists (select 1 from leads f join dial_queue q on q.lead_id = f.id
       where f.id = coalesce(l.parent_id, l.id) or f.parent_id = coalesce(l.parent_id, l.id))
   on conflict (lead_id) do nothing`,
);
/** The reason is stored with the lead or contact whose turn it is. */
const retryWaiting = statement<{ campaignId: number }>(
  'retry_waiting_leads',
  `with due as (
     update dial_queue q set ready_at = $2 from leads l
     where l.id = q.lead_id and l.dial_reason = $3 and q.ready_at > $2
       and ($1::bigint is null or l.user_id = $1)
     returning q.campaign_id
   )
   select distinct campaign_id from due`,
);
const removeEntries = statement('remove_queue_entries', `delete from dial_queue where lead_id = any($1)`);
const FAMILY = '(select id from leads where id = $1 or parent_id = $1)';
const deleteEntries = statement('unqueue_lead', `delete from dial_queue where lead_id in ${FAMILY}`);
const moveEntries = statement(
  'move_queued_lead',
  `update dial_queue set campaign_id = $2 where lead_id in ${FAMILY}`,
);

/**
 * Queues a lead in its campaign, replacing its entry if there is one. The entry takes effect when the campaign is woken
 * (`jobs/wake-campaign.ts`).
 *
 * @param readyAt - no dial before this instant
 */
export async function queueLead(tx: Tx, lead: QueuedLead, readyAt: Date): Promise<void> {
  await tx.query(upsertEntry, [lead.campaignId, readyAt, lead.id, lead.attempts + 1]);
}

/** Removes a lead and its secondary contacts from the queue, if they are queued. */
export async function unqueueLead(tx: Tx, lead: Pick<QueuedLead, 'id'>): Promise<void> {
  await tx.query(deleteEntries, [lead.id]);
}

/** Moves the queue entries of a lead to its new campaign; their time stays. */
export async function moveQueuedLead(tx: Tx, lead: Pick<QueuedLead, 'id' | 'campaignId'>): Promise<void> {
  await tx.query(moveEntries, [lead.id, lead.campaignId]);
}

/** An entry in the dial queue of the lead's campaign. */
export interface QueueEntry {
  leadId: number;
  /** The round, from 1. */
  round: number;
  readyAt: Date;
}

/** Queues a lead, unless it is queued already or was deleted. */
export async function insertQueueEntry(tx: Tx, entry: QueueEntry): Promise<void> {
  await tx.query(insertEntry, [entry.leadId, entry.readyAt, entry.round]);
}

/**
 * Makes leads due that wait for a reason that has gone: no trunk reached them, or their number had been dialed too often.
 * The caller holds the locks of `lockRunningCampaigns`, so that no claim delays one again for the old reason.
 */
export async function retryWaitingLeads(
  tx: Tx,
  {
    reason,
    userId,
    at,
  }: {
    reason: 'no_line' | 'attempt_limit';
    /** Only this user's leads; null: all. */
    userId: number | null;
    at: Date;
  },
): Promise<void> {
  for (const { campaignId } of await tx.query(retryWaiting, [userId, at, reason]))
    await wakeCampaign(tx, campaignId);
}

/** Removes leads from the queue. */
export async function removeQueueEntries(tx: Tx, leadIds: readonly number[]): Promise<void> {
  await tx.query(removeEntries, [leadIds]);
}
