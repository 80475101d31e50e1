/**
 * The only writer of the status and the dial state of leads (`lead-state.rules.ts`). New leads are inserted as `created` and
 * `waiting` by the function `parley_create_lead` and by imports. All statements work on several leads at once.
 */
import { statement, type Tx } from '@parley/db';
import { UNSETTLED_STATUSES } from '../calls/call-state.rules.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import {
  DIAL_STEPS,
  LEAD_STEPS,
  ownerEvent,
  type DialEvent,
  type LeadEvent,
  type LeadStatus,
} from './lead-state.rules.ts';

const updateState = statement(
  'set_dial_state',
  `update leads set dial_state = $2, dial_reason = $3 where id = any($1) and dial_state = any($4)`,
);
const updateStatus = statement(
  'set_lead_status',
  `update leads set status = $2, updated_at = $3,
     attempts = case when $2 = 'created' then 0 else attempts end where id = any($1) and status = any($4)`,
);
/** One statement for all changes, so that each row is written once. */
const settleLeads = statement(
  'settle_leads',
  `update leads set dial_state = $2, dial_reason = $3,
     attempts = attempts + case when id = $4::bigint then 1 else 0 end,
     updated_at = case when status = any($8) and id = any($5::bigint[]) then $7 else updated_at end,
     status = case when status = any($8) and id = any($5::bigint[]) then $6 else status end
   where id = any($1) and dial_state = any($9)`,
);
/** The states of a lead that is queued for its first round and for a later one. */
const QUEUED = [DIAL_STEPS.queued.to, DIAL_STEPS.requeued.to] as const;
const restartContacts = statement(
  'restart_contacts',
  `update leads set status = $2, dial_state = $3, dial_reason = null, attempts = 0, updated_at = $4
   where parent_id = $1 and dial_state = any($5)`,
);
const UNSETTLED = UNSETTLED_STATUSES.map((status) => `'${status}'`).join(', ');
/**
 * Queues leads that are to be called but are neither queued nor in a call, whatever has brought them there. The dial rule
 * decides at the next claim, and may block them again.
 */
const queueSql = (which: string): string =>
  `with found as (
     update leads m set dial_state = case when m.attempts = 0 then $1 else $2 end, dial_reason = null
     where m.parent_id is null and m.status = 'created' and ${which}
       and not exists (select 1 from leads f join dial_queue q on q.lead_id = f.id
         where f.id = m.id or f.parent_id = m.id)
       and not exists (select 1 from leads f join calls c on c.lead_id = f.id
         where (f.id = m.id or f.parent_id = m.id) and c.status in (${UNSETTLED}))
     returning id, campaign_id, attempts
   ), queued as (
     insert into dial_queue (campaign_id, ready_at, lead_id, attempt)
     select campaign_id, $3, id, attempts + 1 from found
     on conflict (lead_id) do nothing
   )
   select distinct campaign_id from found`;
const LEADS = 'select coalesce(parent_id, id) from leads where id = any($4)';
const LEADS_OF_NUMBER = 'select coalesce(parent_id, id) from leads where user_id = $4 and phone_number = $5';
const queueById = statement<{ campaignId: number }>('queue_unattended_leads', queueSql(`m.id in (${LEADS})`));
const queueOfNumber = statement<{ campaignId: number }>(
  'queue_leads_of_number',
  queueSql(`m.id in (${LEADS_OF_NUMBER})`),
);
const queueRefused = statement<{ campaignId: number }>(
  'queue_refused_leads',
  queueSql(
    `m.dial_state = 'blocked' and m.dial_reason in ('country_not_allowed', 'number_type_blocked', 'no_allowed_time')`,
  ),
);
const queueBlockedByCampaign = statement<{ campaignId: number }>(
  'queue_leads_blocked_by_campaign',
  queueSql(
    `m.campaign_id = $4 and m.dial_state = 'blocked' and m.dial_reason in ('no_allowed_time', 'consent_missing')`,
  ),
);
/** A claim that has read the old state commits first, so that the statement that follows sees its result. */
const lockById = statement(
  'lock_leads_to_queue',
  `select id from leads where id in (select coalesce(parent_id, id) from leads where id = any($1))
   order by id for update`,
);
const lockOfNumber = statement(
  'lock_leads_of_number',
  `select id from leads where id in
     (select coalesce(parent_id, id) from leads where user_id = $1 and phone_number = $2) order by id for update`,
);

const lockFamily = statement(
  'lock_lead_family',
  `select id from leads where id = $1 or parent_id = $1 order by id for update`,
);
/** Removes wrong queue entries. Of several entries of a lead, the first one stays. */
const removeWrongEntries = statement(
  'remove_wrong_queue_entries',
  `delete from dial_queue q using leads f, leads m
   where q.lead_id = f.id and m.id = $1 and (f.id = $1 or f.parent_id = $1)
     and (m.status <> 'created' or q.campaign_id <> m.campaign_id
       or exists (select 1 from leads o join dial_queue e on e.lead_id = o.id
         where (o.id = $1 or o.parent_id = $1) and (e.ready_at, e.lead_id) < (q.ready_at, q.lead_id)))`,
);
/** Only states that the queue and the calls contradict. */
const correctState = statement(
  'correct_dial_state',
  `update leads l set dial_reason = null, dial_state = case
     when l.status = 'created' and s.is_in_call and not s.is_queued then $5
     when l.status <> 'created' then $4 when l.attempts = 0 then $2 else $3 end
   from (select
       exists (select 1 from leads f join calls c on c.lead_id = f.id
         where (f.id = $1 or f.parent_id = $1) and c.status in (${UNSETTLED})) as is_in_call,
       exists (select 1 from leads f join dial_queue q on q.lead_id = f.id
         where f.id = $1 or f.parent_id = $1) as is_queued) s
   where (l.id = $1 or l.parent_id = $1)
     and (l.dial_state = $5 and not s.is_in_call
       or l.id = $1 and l.status = 'created' and l.dial_state in ('blocked', 'done') and s.is_queued
       or l.id = $1 and l.status = 'created' and l.dial_state <> $5 and s.is_in_call and not s.is_queued)`,
);

/** Writes the dial state of leads and the reason for it. */
export async function applyDialEvent(
  tx: Tx,
  leadIds: readonly number[],
  event: DialEvent,
  reason: string | null = null,
): Promise<void> {
  const { from, to } = DIAL_STEPS[event];
  if (leadIds.length > 0) await tx.query(updateState, [leadIds, to, reason, from]);
}

/** Ends dialing: leads whose attempts are used up. */
export async function giveUpLeads(tx: Tx, leadIds: readonly number[], at: Date): Promise<void> {
  const { from, to } = LEAD_STEPS['attempts-used-up'];
  await tx.query(updateStatus, [leadIds, to, at, from]);
}

/** Writes a status that the owner has set; `created` resets the attempts. */
export async function setOwnerStatus(
  tx: Tx,
  { leadId, status, at }: { leadId: number; status: LeadStatus; at: Date },
): Promise<void> {
  const { from, to } = LEAD_STEPS[ownerEvent(status)];
  await tx.query(updateStatus, [[leadId], to, at, from]);
}

/** Restarts a lead and its contacts, without contacts that are being dialed. */
export async function restartLead(tx: Tx, leadId: number, at: Date): Promise<void> {
  const { from, to } = DIAL_STEPS.restarted;
  await tx.query(restartContacts, [leadId, LEAD_STEPS['restarted'].to, to, at, from]);
  await applyDialEvent(tx, [leadId], 'restarted');
}

/**
 * Brings leads whose situation has changed back to dialing: each that is `created`, and neither queued nor in a call, is
 * queued. Every administrative change of a lead ends here.
 *
 * @param leadIds - of leads or contacts
 */
export async function queueUnattendedLeads(tx: Tx, leadIds: readonly number[], at: Date): Promise<void> {
  await tx.query(lockById, [leadIds]);
  await wakeAll(tx, await tx.query(queueById, [...QUEUED, at, leadIds]));
}

/**
 * Repairs a lead that violates the invariant of `check-leads.ts`, whatever the fault is: removes entries that contradict
 * its state, corrects the state, and queues it.
 */
export async function repairLead(tx: Tx, leadId: number, at: Date): Promise<void> {
  await tx.query(lockFamily, [leadId]);
  await tx.query(removeWrongEntries, [leadId]);
  await tx.query(correctState, [leadId, ...QUEUED, DIAL_STEPS.ended.to, DIAL_STEPS.claimed.to]);
  await queueUnattendedLeads(tx, [leadId], at);
}

/** The same for the leads of a number that has left the do-not-call list, or for which there is consent now. */
export async function queueLeadsOfNumber(
  tx: Tx,
  { userId, phoneNumber, at }: { userId: number; phoneNumber: string; at: Date },
): Promise<void> {
  await tx.query(lockOfNumber, [userId, phoneNumber]);
  await wakeAll(tx, await tx.query(queueOfNumber, [...QUEUED, at, userId, phoneNumber]));
}

/**
 * The same for the leads of all users that the dial policy refused. The caller holds the locks of
 * `lockRunningCampaigns`, so that no claim applies the old policy.
 */
export async function queueRefusedLeads(tx: Tx, at: Date): Promise<void> {
  await wakeAll(tx, await tx.query(queueRefused, [...QUEUED, at]));
}

/** The same for the leads that the settings of a campaign did not allow. The caller holds the lock of the campaign. */
export async function queueLeadsBlockedByCampaign(tx: Tx, campaignId: number, at: Date): Promise<void> {
  await wakeAll(tx, await tx.query(queueBlockedByCampaign, [...QUEUED, at, campaignId]));
}

async function wakeAll(tx: Tx, campaigns: readonly { campaignId: number }[]): Promise<void> {
  for (const { campaignId } of campaigns) await wakeCampaign(tx, campaignId);
}

/** What a finished call changes in its lead and the lead's other numbers. */
export interface Settlement {
  leadIds: readonly number[];
  event: DialEvent;
  reason: string | null;
  /** The lead whose call counts as an attempt; null: it does not count. */
  attempted: number | null;
  /** The end of leads that are still `created`. */
  end: { event: LeadEvent; leadIds: readonly number[] } | null;
  at: Date;
}

/** Writes everything that a finished call changes in one statement. */
export async function writeSettlement(tx: Tx, settlement: Settlement): Promise<void> {
  const { leadIds, event, reason, attempted, end, at } = settlement;
  const state = DIAL_STEPS[event];
  const status = end ? LEAD_STEPS[end.event] : { from: [], to: null };
  await tx.query(settleLeads, [
    leadIds,
    state.to,
    reason,
    attempted,
    end?.leadIds ?? [],
    status.to,
    at,
    status.from,
    state.from,
  ]);
}
