/**
 * The states of a lead, and of a secondary contact, and the events that change them. `lead-state.ts` is the only writer.
 * See docs/api.md, "Leads". A lead has two states:
 *
 * The public status:
 * - `created`: is to be called. Left when a call reaches the lead, when its attempts are used up, or by its owner.
 * - `completed`, `reached-max-retries`: ended. Left only by the owner, who restarts the lead.
 *
 * The dial state, which tells what dialing does with a lead that is `created`:
 * - `waiting`, `waiting-to-retry`: in the first or a later round, in the dial queue or between two entries. Left by a claim.
 * - `dialing`: a call to it or to one of its contacts is live. Left when the call is settled.
 * - `blocked`: none of its numbers may be called, because of the do-not-call list, a missing record of consent, the dial
 *   policy or the hours of the campaign. Left when one of these or the lead is changed.
 * - `done`: dialing has ended. Left only by the owner.
 *
 * Claims and settlements apply in every dial state: the queue entry and the live call decide, and an owner may have
 * ended and restarted the lead during the call.
 */
import type { LeadRow } from '@parley/db';
import type { StateTable } from '../shared/state-table.rules.ts';

/** The public status of a lead. */
export type LeadStatus = LeadRow['status'];
/** What dialing does with a lead. */
export type DialState = LeadRow['dialState'];

/** `ended-as-…` and `restarted` are changes by the owner. */
export type LeadEvent =
  | 'reached'
  | 'attempts-used-up'
  | 'ended-as-completed'
  | 'ended-as-reached-max-retries'
  | 'restarted';
/** `queued`: for the first round; `requeued`: for a later one. */
export type DialEvent = 'claimed' | 'queued' | 'requeued' | 'blocked' | 'ended' | 'restarted';

const ANY_STATUS: readonly LeadStatus[] = ['created', 'completed', 'reached-max-retries'];
const IDLE: readonly DialState[] = ['waiting', 'waiting-to-retry', 'blocked', 'done'];
const ANY_STATE: readonly DialState[] = [...IDLE, 'dialing'];

export const LEAD_STEPS: StateTable<LeadStatus, LeadEvent> = {
  reached: { from: ['created'], to: 'completed' },
  'attempts-used-up': { from: ['created'], to: 'reached-max-retries' },
  'ended-as-completed': { from: ANY_STATUS, to: 'completed' },
  'ended-as-reached-max-retries': { from: ANY_STATUS, to: 'reached-max-retries' },
  restarted: { from: ANY_STATUS, to: 'created' },
};

export const DIAL_STEPS: StateTable<DialState, DialEvent> = {
  claimed: { from: ANY_STATE, to: 'dialing' },
  queued: { from: ANY_STATE, to: 'waiting' },
  requeued: { from: ANY_STATE, to: 'waiting-to-retry' },
  blocked: { from: ANY_STATE, to: 'blocked' },
  ended: { from: ANY_STATE, to: 'done' },
  restarted: { from: IDLE, to: 'waiting' },
};

/** The event of queueing a lead for a round, counted from 1. */
export function queueingFor(round: number): DialEvent {
  return round === 1 ? 'queued' : 'requeued';
}

/** The event of a status that the owner has set. */
export function ownerEvent(status: LeadStatus): LeadEvent {
  return status === 'created' ? 'restarted' : (`ended-as-${status}` as const);
}
