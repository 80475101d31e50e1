/**
 * What a change by its owner means for the dialing of a lead: nothing, its end, or a fresh start. For the results of calls
 * see dialing/lead-outcome.rules.ts. See docs/api.md, "Leads".
 */
import type { LeadStatus } from '@parley/contracts';
import type { DialState } from '../dialing/lead-state.rules.ts';

/** The part of a lead on which the decision depends. */
export interface ChangedLead {
  dialState: DialState;
  /** Null for a lead of its own. A secondary contact is never queued on its own. */
  parentId: number | null;
}

/**
 * - `keep`: dialing continues as planned.
 * - `end`: the lead is removed from the queue, and a call that is ringing is cancelled.
 * - `restart`: the lead is due now, and its attempts and those of its contacts are counted from 0.
 * - `recount`: its attempts are counted from 0, but it is not queued: the result of a live call decides what follows, or
 *   the number is a contact and takes part in the rounds of its lead only.
 */
export type DialingChange = 'keep' | 'end' | 'restart' | 'recount';

/** @param status - as sent by the owner; undefined: not sent */
export function decideDialingChange(lead: ChangedLead, status: LeadStatus | undefined): DialingChange {
  if (status === undefined) return 'keep';
  if (status !== 'created') return 'end';
  return lead.dialState === 'dialing' || lead.parentId !== null ? 'recount' : 'restart';
}
