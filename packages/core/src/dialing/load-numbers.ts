/** Reads the numbers of leads as input of the dial rule: each lead's own number first, then its contacts in order. */
import { sendTogether, statement, type Tx } from '@parley/db';
import { attemptAllowedAt } from '../lookups/number-attempts.ts';
import type { LeadNumber } from './dial-rule.rules.ts';

/** A number with the variables of a call to it. */
export interface StoredNumber extends LeadNumber {
  /** Null for the lead itself. */
  parentId: number | null;
  variables: Record<string, unknown>;
  /** The current campaign of the lead; the lead may have been moved since it was called. */
  campaignId: number;
}

const selectNumbers = statement<StoredNumber & { turnLeadId: number }>(
  'lead_numbers',
  `select t.id as turn_lead_id, n.id as lead_id, n.parent_id, n.campaign_id, n.phone_number, n.variables, n.status,
     exists (select 1 from do_not_call d
       where d.user_id = n.user_id and d.phone_number = n.phone_number) as is_forbidden,
     exists (select 1 from consents s
       where s.user_id = n.user_id and s.phone_number = n.phone_number) as has_consent,
     exists (select 1 from live_calls c where c.user_id = n.user_id
       and c.client_phone_number = n.phone_number and c.client_phone_number <> '') as is_in_call,
     ${attemptAllowedAt('n.user_id', 'n.phone_number')} as attempt_allowed_at
   from leads t
   cross join lateral (
     select m.* from leads m where m.id = coalesce(t.parent_id, t.id)
     union all
     select s.* from leads s where s.parent_id = coalesce(t.parent_id, t.id)
   ) n
   where t.id = any($1)
   order by n.parent_id nulls first, n.id`,
);

const lockNumbers = statement(
  'lock_lead_numbers',
  `select id from leads where id in (
     select coalesce(t.parent_id, t.id) from leads t where t.id = $1
     union all
     select s.id from leads t join leads s on s.parent_id = coalesce(t.parent_id, t.id) where t.id = $1)
   order by id for update`,
);

/** Locks and reads all numbers of one lead; null: it was deleted. */
export async function lockNumbersOf(tx: Tx, leadId: number): Promise<StoredNumber[] | null> {
  const [, families] = await sendTogether(tx, [
    (tx) => tx.query(lockNumbers, [leadId]),
    (tx) => loadNumbers(tx, [leadId]),
  ]);
  return families.get(leadId) ?? null;
}

/**
 * @param leadIds - of leads or contacts
 * @returns all numbers of each lead, by the given id, without leads that were deleted
 */
export async function loadNumbers(tx: Tx, leadIds: readonly number[]): Promise<Map<number, StoredNumber[]>> {
  const families = new Map<number, StoredNumber[]>();
  for (const { turnLeadId, ...number } of await tx.query(selectNumbers, [leadIds])) {
    const family = families.get(turnLeadId);
    if (family) family.push(number);
    else families.set(turnLeadId, [number]);
  }
  return families;
}
