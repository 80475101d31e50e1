/**
 * The only writers of what the dialer knows of a lead: its state, its place in the queue, and the two statuses that
 * dialing gives. All statements work on several leads at once.
 */
import { statement, type Tx } from '@parley/db';

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
const addAttempt = statement('add_attempt', `update leads set attempts = attempts + 1 where id = $1`);

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
  state: 'waiting' | 'dialing' | 'waiting-to-retry' | 'blocked' | 'done',
  reason: string | null = null,
): Promise<void> {
  if (leadIds.length > 0) await tx.query(updateState, [leadIds, state, reason]);
}

/** Ends dialing: the public status of leads that had none yet. */
export async function setLeadStatus(
  tx: Tx,
  leadIds: readonly number[],
  status: 'completed' | 'reached-max-retries',
  at: Date,
): Promise<void> {
  await tx.query(updateStatus, [leadIds, status, at]);
}

/** A dial that counted. */
export async function countAttempt(tx: Tx, leadId: number): Promise<void> {
  await tx.query(addAttempt, [leadId]);
}
