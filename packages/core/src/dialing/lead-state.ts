/**
 * The only writer of the status and the dial state of leads (`lead-state.rules.ts`). New leads are inserted as `created` and
 * `waiting` by the function `parley_create_lead` and by imports. All statements work on several leads at once.
 */
import { statement, type Tx } from '@parley/db';
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
const restartContacts = statement(
  'restart_contacts',
  `update leads set status = $2, dial_state = $3, dial_reason = null, attempts = 0, updated_at = $4
   where parent_id = $1 and dial_state = any($5)`,
);
/** Unblocks leads and queues those that are not secondary contacts, which are called in the rounds of their lead. */
const unblockSql = (reasons: string, which = 'true'): string =>
  `with unblocked as (
     update leads set dial_state = $1, dial_reason = null
     where dial_state = any($2) and dial_reason in (${reasons}) and ${which}
     returning id, campaign_id, parent_id, attempts
   ), queued as (
     insert into dial_queue (campaign_id, ready_at, lead_id, attempt)
     select campaign_id, $3, id, attempts + 1 from unblocked where parent_id is null
     on conflict (lead_id) do nothing
   )
   select distinct campaign_id from unblocked`;
/** The leads with the number, and those with a contact that has it. */
const unblockOfNumber = statement<{ campaignId: number }>(
  'unblock_leads_of_number',
  unblockSql(
    `'do_not_call'`,
    'id in (select coalesce(parent_id, id) from leads where user_id = $4 and phone_number = $5)',
  ),
);
const unblockRefused = statement<{ campaignId: number }>(
  'unblock_refused_leads',
  unblockSql(`'country_not_allowed', 'number_type_blocked'`),
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

/** Starts a lead and its contacts afresh, without contacts that are being dialed. */
export async function restartLead(tx: Tx, leadId: number, at: Date): Promise<void> {
  const { from, to } = DIAL_STEPS.restarted;
  await tx.query(restartContacts, [leadId, LEAD_STEPS['started-afresh'].to, to, at, from]);
  await applyDialEvent(tx, [leadId], 'restarted');
}

/** Unblocks and queues the leads of a number that is no longer on the do-not-call list. */
export async function unblockLeadsOfNumber(
  tx: Tx,
  { userId, phoneNumber, at }: { userId: number; phoneNumber: string; at: Date },
): Promise<void> {
  const { from, to } = DIAL_STEPS.unblocked;
  await wakeAll(tx, await tx.query(unblockOfNumber, [to, from, at, userId, phoneNumber]));
}

/** Unblocks and queues the leads of all users that the dial policy refused; the dial rule may block them again. */
export async function unblockRefusedLeads(tx: Tx, at: Date): Promise<void> {
  const { from, to } = DIAL_STEPS.unblocked;
  await wakeAll(tx, await tx.query(unblockRefused, [to, from, at]));
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
