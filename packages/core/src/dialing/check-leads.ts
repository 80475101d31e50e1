/**
 * The invariant of dialing: each lead of a campaign is settled, in the queue, in a call, or blocked for a reason that an
 * event will end; and each has a dial state that says which, so that the progress counts of the campaign add up. A fault
 * means that some change has left a lead behind. Checked after tests, by the chaos program, every night and by
 * `parley doctor`.
 */
import { statement, type Tx } from '@parley/db';
import { UNSETTLED_STATUSES } from '../calls/call-state.rules.ts';
import { now, type CoreContext } from '../context.ts';
import { repairLead } from './lead-state.ts';

/** Why a lead violates the invariant. */
type LeadFaultKind =
  /** To be called, but neither queued, nor in a call, nor blocked. */
  | 'left_behind'
  /** Blocked for a reason that does not hold any more, or that no event ends. */
  | 'blocked_without_reason'
  /** Its dial state says otherwise than the queue and the calls. */
  | 'wrong_state'
  /** Dialing has ended, but it is queued. */
  | 'settled_but_queued'
  /** It has more than one queue entry, or one in another campaign. */
  | 'wrong_entry';

/** A lead that violates the invariant. */
export interface LeadFault {
  leadId: number;
  campaignId: number;
  kind: LeadFaultKind;
}

/** Leads that one statement checks: 500,000 at once were measured to take 28 s beside other load. */
const BATCH_LEADS = 10_000;

const selectBatch = statement<{ last: number | null }>(
  'leads_to_check',
  `select max(id) as last from (
     select id from leads where parent_id is null and campaign_id = $1 and id > $2 order by id limit ${BATCH_LEADS}) batch`,
);
/** Reads one snapshot, in which every transaction is complete or absent. */
const selectFaults = statement<LeadFault>(
  'lead_faults',
  `with situations as (
     select m.id, m.campaign_id, m.status, m.dial_state, m.dial_reason,
       (select count(*) from leads f join dial_queue q on q.lead_id = f.id
        where f.id = m.id or f.parent_id = m.id) as entries,
       exists (select 1 from leads f join dial_queue q on q.lead_id = f.id
        where (f.id = m.id or f.parent_id = m.id) and q.campaign_id <> m.campaign_id) as is_elsewhere,
       exists (select 1 from leads f join calls k on k.lead_id = f.id
        where (f.id = m.id or f.parent_id = m.id) and k.status = any($4)) as is_in_call,
       exists (select 1 from leads f where (f.id = m.id or f.parent_id = m.id) and f.status = 'created'
         and not exists (select 1 from do_not_call d
           where d.user_id = f.user_id and d.phone_number = f.phone_number)
         and (not c.is_consent_required or exists (select 1 from consents s
           where s.user_id = f.user_id and s.phone_number = f.phone_number))) as is_callable,
       exists (select 1 from leads f where f.parent_id = m.id and f.dial_state = 'dialing') as is_contact_dialing
     from leads m join campaigns c on c.id = m.campaign_id and c.deleted_at is null
     where m.parent_id is null and m.campaign_id = $1 and m.id > $2 and m.id <= $3
   ), judged as (
     select id as lead_id, campaign_id, case
       when status <> 'created' and entries > 0 then 'settled_but_queued'
       when entries > 1 or is_elsewhere then 'wrong_entry'
       when (dial_state = 'dialing' or is_contact_dialing) and not is_in_call
         then case when status = 'created' and entries = 0 then 'left_behind' else 'wrong_state' end
       when status <> 'created' or is_in_call and dial_state = 'dialing' then null
       when entries = 1 then case when dial_state in ('blocked', 'done') then 'wrong_state' end
       when is_in_call then 'wrong_state'
       when dial_state <> 'blocked' then 'left_behind'
       when dial_reason in ('do_not_call', 'consent_missing') and not is_callable then null
       when dial_reason in ('country_not_allowed', 'number_type_blocked', 'no_allowed_time') then null
       else 'blocked_without_reason' end as kind
     from situations
   )
   select lead_id, campaign_id, kind from judged where kind is not null order by lead_id`,
);
const selectCampaigns = statement<{ id: number }>(
  'campaigns_to_check',
  `select id from campaigns where deleted_at is null order by id`,
);

/** @param campaignId - null: of all campaigns that are not deleted */
export async function findLeadFaults(tx: Tx, campaignId: number | null = null): Promise<LeadFault[]> {
  const campaigns = campaignId === null ? await tx.query(selectCampaigns) : [{ id: campaignId }];
  const faults: LeadFault[] = [];
  for (const { id } of campaigns) faults.push(...(await faultsOf(tx, id)));
  return faults;
}

async function faultsOf(tx: Tx, campaignId: number): Promise<LeadFault[]> {
  const faults: LeadFault[] = [];
  let after = 0;
  for (;;) {
    const [batch] = await tx.query(selectBatch, [campaignId, after]);
    const last = batch?.last ?? null;
    if (last === null) return faults;
    faults.push(...(await tx.query(selectFaults, [campaignId, after, last, UNSETTLED_STATUSES])));
    after = last;
  }
}

/**
 * Checks all leads and repairs those with a fault: they are queued again, as after a change by their owner. May run
 * several times, in any process.
 *
 * @returns the faults that were found
 */
export async function repairLeads(ctx: CoreContext): Promise<LeadFault[]> {
  const found: LeadFault[] = [];
  for (const { id } of await ctx.db.query(selectCampaigns)) {
    const faults = await faultsOf(ctx.db, id);
    for (const fault of faults) await ctx.db.transaction((tx) => repairLead(tx, fault.leadId, now(ctx)));
    if (faults.length > 0) {
      const kinds = [...new Set(faults.map(({ kind }) => kind))];
      ctx.log.warn(
        { campaignId: id, leads: faults.length, kinds },
        'Leads that nothing would call were queued again',
      );
    }
    found.push(...faults);
  }
  return found;
}
