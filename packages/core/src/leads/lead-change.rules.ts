/**
 * What a change by its owner means for a lead's dialing: nothing, its end, or a fresh start. What the dialer itself makes
 * of a lead stands in dialing/lead-outcome.rules.ts. See docs/api.md, "Leads".
 */
import type { LeadStatus } from '@parley/contracts';

/** What the dialer is doing with a lead. */
type DialState = 'waiting' | 'dialing' | 'waiting-to-retry' | 'blocked' | 'done';

/** The part of a lead that decides. */
export interface ChangedLead {
  dialState: DialState;
  /** Null for a main lead. A secondary contact is never queued for itself. */
  parentId: number | null;
}

/**
 * - `keep`: dialing goes on as planned.
 * - `end`: it leaves the queue, and whatever is ringing is cancelled.
 * - `restart`: it is queued for now with fresh attempts, its contacts too.
 * - `recount`: fresh attempts, but nothing is queued: a call is under way and decides what comes next, or the number
 *   only takes part in its main lead's rounds.
 */
export type DialingChange = 'keep' | 'end' | 'restart' | 'recount';

/** @param status - what the owner wrote; absent means "not sent" */
export function decideDialingChange(lead: ChangedLead, status: LeadStatus | undefined): DialingChange {
  if (status === undefined) return 'keep';
  if (status !== 'created') return 'end';
  return lead.dialState === 'dialing' || lead.parentId !== null ? 'recount' : 'restart';
}
