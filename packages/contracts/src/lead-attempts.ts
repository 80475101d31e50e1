/**
 * Why a lead was called when it was, and why it is or is not being called now: the dial rule's verdicts, in words. Ours;
 * the specification has none of it. A reason is a word for programs, its explanation a sentence for people.
 */
import { z } from 'zod';
import { callStatuses } from './call-record.ts';
import { isoMicrosecondsField } from './dates.ts';

/** What the rule says of a lead: call it now, not before an instant or an event, or never again. */
export const dialDecisions = ['dial', 'wait', 'never'] as const;

const verdict = z
  .strictObject({
    decision: z.enum(dialDecisions),
    reason: z.string(),
    explanation: z.string(),
    /** With `wait`: no call before; null where something else than a clock decides. */
    until: isoMicrosecondsField.nullable(),
    /** Whose turn it is; null where nobody's is. */
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
    /** Since when the lead was due. */
    due_at: isoMicrosecondsField,
    /** End of the calling hours that it was dialed in. */
    window_closes_at: isoMicrosecondsField.nullable(),
    /** Calls that the campaign might still begin, this one included. */
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
    /** False where it was no attempt: a fault of ours, or somebody stopped it. Null while the call lasts. */
    is_counted: z.boolean().nullable(),
    /** Null for calls from before decisions were kept. */
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

/** Everything about why a lead is called. */
export type LeadAttempts = z.output<typeof leadAttempts>;
/** One call to a lead, with its reason. */
export type LeadAttempt = z.output<typeof attempt>;
/** What the dial rule says now. */
export type DialVerdictRecord = z.output<typeof verdict>;
