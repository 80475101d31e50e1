/**
 * Writes the state of dialing of leads: `dial_state`, queue entries, and the statuses with which dialing ends. All
 * statements work on several leads at once.
 */
import { statement, type Tx } from '@parley/db';

/** What dialing does with a lead. */
type DialState = 'waiting' | 'dialing' | 'waiting-to-retry' | 'blocked' | 'done';

/** An entry in the dial queue of the lead's campaign. */
export interface QueueEntry {
  leadId: number;
  /** The round, from 1. */
  round: number;
  readyAt: Date;
}

/** An entry that exists already was written by an update of the lead's owner and is kept. */
const insertEntry = statement(
  'queue_lead_again',
  `insert into dial_queue (campaign_id, ready_at, lead_id, attempt)
   select campaign_id, $2, id, $3 from leads where id = $1
   on conflict (lead_id) do nothing`,
);
const deleteEntries = statement('remove_queue_entries', `delete from dial_queue where lead_id = any($1)`);
const updateState = statement(
  'set_dial_state',
  `update leads set dial_state = $2, dial_reason = $3 where id = any($1)`,
);
const updateStatus = statement(
  'set_lead_status',
  `update leads set status = $2, updated_at = $3 where id = any($1) and status = 'created'`,
);
/** One statement for all changes, so that each row is written once. */
const settleLeads = statement(
  'settle_leads',
  `update leads set dial_state = $2, dial_reason = $3,
     attempts = attempts + case when id = $4::bigint then 1 else 0 end,
     updated_at = case when status = 'created' and id = any($5::bigint[]) then $7 else updated_at end,
     status = case when status = 'created' and id = any($5::bigint[]) then $6 else status end
   where id = any($1)`,
);

/** Queues a lead, unless it is queued already or was deleted. */
export async function insertQueueEntry(tx: Tx, entry: QueueEntry): Promise<void> {
  await tx.query(insertEntry, [entry.leadId, entry.readyAt, entry.round]);
}

/** Removes leads from the queue. */
export async function removeQueueEntries(tx: Tx, leadIds: readonly number[]): Promise<void> {
  await tx.query(deleteEntries, [leadIds]);
}

/** Writes the dial state of leads and the reason for it. */
export async function setDialState(
  tx: Tx,
  leadIds: readonly number[],
  state: DialState,
  reason: string | null = null,
): Promise<void> {
  if (leadIds.length > 0) await tx.query(updateState, [leadIds, state, reason]);
}

/** Ends dialing: writes the public status of leads that are still `created`. */
export async function setLeadStatus(
  tx: Tx,
  leadIds: readonly number[],
  status: 'reached-max-retries',
  at: Date,
): Promise<void> {
  await tx.query(updateStatus, [leadIds, status, at]);
}

/** What a finished call changes in its lead and the lead's other numbers. */
export interface Settlement {
  leadIds: readonly number[];
  state: DialState;
  reason: string | null;
  /** The lead whose call counts as an attempt; null: it does not count. */
  attempted: number | null;
  /** The new public status of those that are still `created`. */
  status: { to: 'completed' | 'reached-max-retries'; leadIds: readonly number[] } | null;
  at: Date;
}

/** Writes everything that a finished call changes in one statement. */
export async function writeSettlement(tx: Tx, settlement: Settlement): Promise<void> {
  const { leadIds, state, reason, attempted, status, at } = settlement;
  const newStatus = [status?.leadIds ?? [], status?.to ?? 'created', at];
  await tx.query(settleLeads, [leadIds, state, reason, attempted, ...newStatus]);
}
