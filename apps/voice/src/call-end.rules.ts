/**
 * Maps the end of a leg to the call event that is recorded and its reason. The states belong to core; see docs/api.md, "Calls", "States".
 */
import type { EndReason } from '@parley/contracts';
import type { CallEventType } from '@parley/core';
import type { LegEnd } from '@parley/telephony';

/** A request of ours to end the call: who made it, and why. */
export interface HangUpRequest {
  by: 'assistant' | 'limit' | 'operator' | 'system' | 'transfer';
  reason: EndReason;
}

/** The facts that decide how a call ended. */
export interface CallEndInput {
  end: LegEnd;
  wasAnswered: boolean;
  /** Our first request to end the call; null when only the far end or the network ended it. */
  requested: HangUpRequest | null;
  /** The call of a lost process, with which the far end did not go on. */
  isLost?: boolean;
}

/** The event for the record, and its reason. */
export interface CallEndDecision {
  event: Exclude<CallEventType, 'ringing' | 'answered' | 'settled'>;
  reason: EndReason;
}

/** Decides how a call ended. */
export function decideCallEnd(input: CallEndInput): CallEndDecision {
  if (input.isLost && input.end.cause !== 'remote-hang-up') return { event: 'ended', reason: 'process_lost' };
  return input.wasAnswered ? endOfConversation(input) : endOfAttempt(input);
}

/** The end of a call that was never answered. */
function endOfAttempt({ end, requested }: CallEndInput): CallEndDecision {
  switch (end.cause) {
    case 'busy':
      return { event: 'busy', reason: 'busy' };
    case 'no-answer':
      return { event: 'no-answer', reason: 'no_answer' };
    case 'remote-hang-up':
      return { event: 'no-answer', reason: 'caller_cancelled' };
    case 'cancelled':
    case 'local-hang-up':
      return { event: 'failed', reason: requested?.reason ?? 'cancelled' };
    case 'answered-late':
      return { event: 'failed', reason: requested?.reason ?? 'answered_late' };
    case 'rejected':
      return { event: 'failed', reason: 'rejected' };
    case 'unreachable':
      // A trunk that answers 503 has tried the call; one that does not answer has not, and no attempt is counted
      // (lead-outcome.rules.ts).
      return { event: 'failed', reason: end.sipStatus === undefined ? 'unreachable' : 'unavailable' };
    case 'line-lost':
      return { event: 'failed', reason: 'line_lost' };
  }
}

/** The end of a call that was answered. */
function endOfConversation({ end, requested }: CallEndInput): CallEndDecision {
  switch (end.cause) {
    case 'remote-hang-up':
      // After a transfer the far end may send the BYE, because it no longer needs this leg.
      return requested?.by === 'transfer'
        ? { event: 'ended', reason: requested.reason }
        : { event: 'customer-hung-up', reason: 'customer_hung_up' };
    case 'line-lost':
      return { event: 'ended', reason: 'line_lost' };
    case 'busy':
    case 'no-answer':
    case 'answered-late':
    case 'rejected':
    case 'unreachable':
      return { event: 'ended', reason: 'line_lost' };
    case 'cancelled':
    case 'local-hang-up':
      return requested?.by === 'assistant'
        ? { event: 'assistant-hung-up', reason: requested.reason }
        : { event: 'ended', reason: requested?.reason ?? 'line_lost' };
  }
}
