/**
 * Adds many leads to a campaign, for imports and for requests with many rows. SQL, because there may be thousands. The
 * campaign's numbers are locked first and the campaign last, so that the dialer waits only for the commit.
 */
import { statement, type Tx } from '@parley/db';
import { campaignNotFound } from '../campaigns/find-campaign.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

/**
 * Every creation of leads with several numbers takes this lock; see the function parley_create_lead. The setting makes the
 * planner find the numbers by their index: a connection that plans once, by statistics of an empty table, would otherwise
 * read all of it for every batch until it has new statistics.
 */
const lockNumbers = statement(
  'lock_campaign_numbers',
  `select pg_advisory_xact_lock(hashtextextended('leads:' || $1::bigint, 0)), set_config('enable_seqscan', 'off', true)`,
);
const selectTaken = statement<{ phoneNumber: string }>(
  'campaign_numbers_taken',
  `select distinct phone_number from leads where campaign_id = $1 and phone_number = any($2)`,
);
/** Ids are in the order of the rows. */
const insert = statement<{ id: number }>(
  'insert_leads',
  `with added as (
     insert into leads (user_id, campaign_id, import_id, phone_number, variables, status, dial_state, created_at, updated_at)
     select $1, $2, $3, r.phone_number, r.variables::jsonb, 'created', 'waiting', $4, $4
     from unnest($5::text[], $6::text[]) with ordinality as r(phone_number, variables, place) order by r.place
     returning id),
   queued as (
     insert into dial_queue (campaign_id, ready_at, lead_id, attempt) select $2, $4, id, 1 from added order by id)
   select id from added order by id`,
);
const lockCampaign = statement<{ isRunning: boolean }>(
  'campaign_of_new_leads',
  `select status = 'in-progress' as is_running from campaigns where id = $1 and deleted_at is null for share`,
);

/** A lead that is accepted. */
export interface LeadToWrite {
  /** E.164. */
  phoneNumber: string;
  /** JSON. */
  variables: string;
}

/** Locks the campaign's numbers until the transaction ends. @returns those of `numbers` that it has already */
export async function lockTakenNumbers(
  tx: Tx,
  campaignId: number,
  numbers: readonly string[],
): Promise<Set<string>> {
  await tx.query(lockNumbers, [campaignId]);
  const taken = await tx.query(selectTaken, [campaignId, numbers]);
  return new Set(taken.map(({ phoneNumber }) => phoneNumber));
}

/** Queues the leads as well. @returns their ids, in the order of `leads` */
export async function insertLeads(
  tx: Tx,
  about: { userId: number; campaignId: number; importId: number | null; at: Date },
  leads: readonly LeadToWrite[],
): Promise<number[]> {
  if (leads.length === 0) return [];
  const numbers = leads.map(({ phoneNumber }) => phoneNumber);
  const variables = leads.map((lead) => lead.variables);
  const { userId, campaignId, importId, at } = about;
  const rows = await tx.query(insert, [userId, campaignId, importId, at, numbers, variables]);
  return rows.map(({ id }) => id);
}

/** Locks the campaign against a stop and a deletion. @throws DomainError `not-found` when it was deleted */
export async function wakeIfRunning(tx: Tx, campaignId: number): Promise<void> {
  const [campaign] = await tx.query(lockCampaign, [campaignId]);
  if (!campaign) throw campaignNotFound();
  if (campaign.isRunning) await wakeCampaign(tx, campaignId);
}
