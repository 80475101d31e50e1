/** What the admin app shows of the leads of a list: their state, and their newest call. */
import {
  isoMicroseconds,
  type CallOutcome,
  type LeadRecord,
  type LeadState,
  type LeadSummary,
} from '@parley/contracts';
import { statement, type Tx } from '@parley/db';

/** SQL of the state of the lead `l`. An open lead whose dialing has ended is about to be queued again. */
export const LEAD_STATE = `case when l.status <> 'created' then l.status
  when l.dial_state = 'done' then 'waiting' else l.dial_state end`;

/** SQL of the newest call to the lead `l` or one of its contacts, as a source of rows. */
const LAST_CALL = `(select id, created_at, parley_call_outcome(status, ended_reason, answered_by) as outcome from calls
  where lead_id = any(array(select id from leads where parent_id = l.id) || l.id)
  order by created_at desc, id desc limit 1) last_call`;

/** SQL of the outcome of that call; null without a call, and during a call. */
export const LAST_OUTCOME = `(select outcome from ${LAST_CALL})`;

interface SummaryRow {
  id: number;
  state: LeadState;
  callId: number | null;
  calledAt: Date | null;
  outcome: CallOutcome | null;
}

const selectSummaries = statement<SummaryRow>(
  'summarise_leads',
  `select l.id, ${LEAD_STATE} as state, last_call.id as call_id, last_call.created_at as called_at, last_call.outcome
   from leads l left join lateral ${LAST_CALL} on true where l.id = any($1)`,
);

/** Leads that were removed since they were read are left out. */
export async function summariseLeads(tx: Tx, leads: readonly LeadRecord[]): Promise<LeadSummary[]> {
  if (leads.length === 0) return [];
  const rows = await tx.query(selectSummaries, [leads.map(({ id }) => id)]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return leads.flatMap((lead) => {
    const row = byId.get(lead.id);
    return row ? [{ ...lead, state: row.state, last_call: lastCall(row) }] : [];
  });
}

function lastCall({ callId, calledAt, outcome }: SummaryRow): LeadSummary['last_call'] {
  return callId === null || calledAt === null ? null : { id: callId, at: isoMicroseconds(calledAt), outcome };
}
