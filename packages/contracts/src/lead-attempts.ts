/**
 * Why a lead was called at a given time, and why it is or is not being called now: results of the dial rule. An endpoint
 * of our own. A reason is a code for programs, its explanation a sentence for people.
 */
import { z } from 'zod';
import { callOutcomes, callStatuses } from './call-states.ts';
import { isoMicrosecondsField } from './dates.ts';

/** The rule's decision about a lead: call it now, wait for a time or an event, or never call it again. */
export const dialDecisions = ['dial', 'wait', 'never'] as const;

const verdict = z
  .strictObject({
    decision: z.enum(dialDecisions),
    reason: z.string(),
    explanation: z.string(),
    /** With `wait`: the earliest call; null if the lead waits for something other than a time. */
    until: isoMicrosecondsField.nullable(),
    /** The contact to call next; null without one. */
    phone_number: z.string().nullable(),
    /** From 1; null where the lead does not wait for a round. */
    round: z.int().nullable(),
  })
  .meta({ id: 'DialVerdict' });

const decision = z
  .strictObject({
    /** `first_call`, `next_contact` or `retry`. */
    reason: z.string(),
    explanation: z.string(),
    /** When the lead became due. */
    due_at: isoMicrosecondsField,
    /** End of the calling hours that it was dialed in. */
    window_closes_at: isoMicrosecondsField.nullable(),
    /** Calls that the campaign could still start, including this one. */
    free_calls: z.int(),
  })
  .meta({ id: 'DialDecision' });

const attempt = z
  .strictObject({
    call_id: z.int(),
    /** The lead, or one of its secondary contacts. */
    lead_id: z.int(),
    phone_number: z.string(),
    round: z.int(),
    at: isoMicrosecondsField,
    status: z.enum(callStatuses),
    ended_reason: z.string().nullable(),
    /** Null before the call has ended. */
    outcome: z.enum(callOutcomes).nullable(),
    /** As the list of the campaign names it; null without one. */
    disposition: z.string().nullable(),
    /** False if it does not count as an attempt: an internal failure, or a stop. Null before the call has ended. */
    is_counted: z.boolean().nullable(),
    /** Null for calls that are older than this record. */
    decision: decision.nullable(),
  })
  .meta({ id: 'LeadAttempt' });

/** Answer of GET /api/user/leads/{id}/attempts. */
export const leadAttempts = z
  .strictObject({
    lead_id: z.int(),
    now: verdict,
    /** Newest first; at most 200. */
    attempts: z.array(attempt),
  })
  .meta({ id: 'LeadAttempts' });

/** The explanation of a lead's calls. */
export type LeadAttempts = z.output<typeof leadAttempts>;
/** One call to a lead, with its reason. */
export type LeadAttempt = z.output<typeof attempt>;
/** The current result of the dial rule. */
export type DialVerdictRecord = z.output<typeof verdict>;
