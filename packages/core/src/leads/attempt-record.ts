/** The one translator from the calls of a lead to attempts of the wire. */
import { isoMicroseconds, type LeadAttempt, type EndReason } from '@parley/contracts';
import type { CallRow } from '@parley/db';
import { outcomeOf } from '../calls/call-outcome.rules.ts';
import { callPhase } from '../calls/call-state.rules.ts';
import type { DialDecision } from '../calls/insert-call.ts';
import { explainReason } from '../dialing/dial-reason-texts.rules.ts';
import { isAttempt } from '../dialing/lead-outcome.rules.ts';

/** What is read of a call. */
export interface AttemptRow extends Pick<
  CallRow,
  'id' | 'clientPhoneNumber' | 'attempt' | 'createdAt' | 'status' | 'answeredBy'
> {
  disposition: string | null;
  endedReason: EndReason | null;
  leadId: number;
  dialDecision: DialDecision | null;
}

export function attemptRecord(row: AttemptRow): LeadAttempt {
  const { status, endedReason, answeredBy, dialDecision } = row;
  const isOver = callPhase(status) === 'final' || callPhase(status) === 'hung-up';
  return {
    call_id: row.id,
    lead_id: row.leadId,
    phone_number: row.clientPhoneNumber,
    round: row.attempt ?? 1,
    at: isoMicroseconds(row.createdAt),
    status,
    ended_reason: endedReason,
    outcome: outcomeOf({ status, endedReason, answeredBy }),
    disposition: row.disposition,
    is_counted: isOver ? isAttempt({ status, endedReason }) : null,
    decision: dialDecision && decisionRecord(dialDecision),
  };
}

function decisionRecord(decision: DialDecision): NonNullable<LeadAttempt['decision']> {
  const { reason, dueAt, windowClosesAt, freeCalls } = decision;
  return {
    reason,
    explanation: explainReason(reason),
    due_at: isoMicroseconds(new Date(dueAt)),
    window_closes_at: windowClosesAt === null ? null : isoMicroseconds(new Date(windowClosesAt)),
    free_calls: freeCalls,
  };
}
