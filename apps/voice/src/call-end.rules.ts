/**
 * What the end of a leg means for the call: which event goes to the record, and the reason beside it. The states
 * themselves are core's; see docs/api.md, "Calls", "States".
 */
import type { EndReason } from '@parley/contracts';
import type { CallEventType } from '@parley/core';
import type { LegEnd } from '@parley/telephony';

/** Who on our side asked for the end, and why. */
export interface HangUpRequest {
  by: 'assistant' | 'limit' | 'operator' | 'system' | 'transfer';
  reason: EndReason;
}

/** All that decides how a call ended. */
export interface CallEndInput {
  end: LegEnd;
  wasAnswered: boolean;
  /** The first request of ours, null when the far end or the line ended the call by itself. */
  requested: HangUpRequest | null;
}

/** The event for the record, and its reason. */
export interface CallEndDecision {
  event: Exclude<CallEventType, 'ringing' | 'answered' | 'settled'>;
  reason: EndReason;
}

/** Decides how a call ended. */
export function decideCallEnd(input: CallEndInput): CallEndDecision {
  return input.wasAnswered ? endOfConversation(input) : endOfAttempt(input);
}

/** The far end never answered. */
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
    case 'rejected':
      return { event: 'failed', reason: 'rejected' };
    case 'unreachable':
      // A trunk that says 503 has tried; one that says nothing is a fault of ours and no attempt (lead-outcome.rules.ts).
      return { event: 'failed', reason: end.sipStatus === undefined ? 'unreachable' : 'unavailable' };
    case 'line-lost':
      return { event: 'failed', reason: 'line_lost' };
  }
}

/** The two sides have been connected. */
function endOfConversation({ end, requested }: CallEndInput): CallEndDecision {
  switch (end.cause) {
    case 'remote-hang-up':
      // Whoever was given the caller has no further use for us and says so as well.
      return requested?.by === 'transfer'
        ? { event: 'ended', reason: requested.reason }
        : { event: 'customer-hung-up', reason: 'customer_hung_up' };
    case 'line-lost':
      return { event: 'ended', reason: 'line_lost' };
    case 'busy':
    case 'no-answer':
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
