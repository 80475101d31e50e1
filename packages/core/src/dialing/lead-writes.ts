/**
 * The only writers of what the dialer knows of a lead: its state, its place in the queue, and the two statuses that
 * dialing gives. All statements work on several leads at once.
 */
import { statement, type Tx } from '@parley/db';

/** What the dialer is doing with a lead. */
type DialState = 'waiting' | 'dialing' | 'waiting-to-retry' | 'blocked' | 'done';

/** A place in the queue of the lead's own campaign. */
export interface QueuePlace {
  leadId: number;
  /** The round, from 1. */
  round: number;
  readyAt: Date;
}

/** Whoever queued the lead meanwhile (its owner, with fresh attempts) was right. */
const insertPlace = statement(
  'queue_lead_again',
  `insert into dial_queue (campaign_id, ready_at, lead_id, attempt)
   select campaign_id, $2, id, $3 from leads where id = $1
   on conflict (lead_id) do nothing`,
);
const deletePlaces = statement('drop_places', `delete from dial_queue where lead_id = any($1)`);
const updateState = statement(
  'set_dial_state',
  `update leads set dial_state = $2, dial_reason = $3 where id = any($1)`,
);
const updateStatus = statement(
  'set_lead_status',
  `update leads set status = $2, updated_at = $3 where id = any($1) and status = 'created'`,
);
/** One write of each row, whatever changes in it. */
const settleLeads = statement(
  'settle_leads',
  `update leads set dial_state = $2, dial_reason = $3,
     attempts = attempts + case when id = $4::bigint then 1 else 0 end,
     updated_at = case when status = 'created' and id = any($5::bigint[]) then $7 else updated_at end,
     status = case when status = 'created' and id = any($5::bigint[]) then $6 else status end
   where id = any($1)`,
);

/** Puts a lead into the queue, unless it is there already or was deleted. */
export async function queuePlace(tx: Tx, place: QueuePlace): Promise<void> {
  await tx.query(insertPlace, [place.leadId, place.readyAt, place.round]);
}

/** Takes leads out of the queue. */
export async function dropPlaces(tx: Tx, leadIds: readonly number[]): Promise<void> {
  await tx.query(deletePlaces, [leadIds]);
}

/** What the dialer is doing with leads, and why. */
export async function setDialState(
  tx: Tx,
  leadIds: readonly number[],
  state: DialState,
  reason: string | null = null,
): Promise<void> {
  if (leadIds.length > 0) await tx.query(updateState, [leadIds, state, reason]);
}

/** Ends dialing: the public status of leads that had none yet. */
export async function setLeadStatus(
  tx: Tx,
  leadIds: readonly number[],
  status: 'reached-max-retries',
  at: Date,
): Promise<void> {
  await tx.query(updateStatus, [leadIds, status, at]);
}

/** What a finished call changes of its lead and the lead's other numbers. */
export interface Settlement {
  leadIds: readonly number[];
  state: DialState;
  reason: string | null;
  /** The one whose dial counted; null: it did not. */
  attempted: number | null;
  /** The public status of those that had none yet. */
  status: { to: 'completed' | 'reached-max-retries'; leadIds: readonly number[] } | null;
  at: Date;
}

/** Everything that a finished call changes, in one write. */
export async function writeSettlement(tx: Tx, settlement: Settlement): Promise<void> {
  const { leadIds, state, reason, attempted, status, at } = settlement;
  const newStatus = [status?.leadIds ?? [], status?.to ?? 'created', at];
  await tx.query(settleLeads, [leadIds, state, reason, attempted, ...newStatus]);
}
