/** The outcome of a call for lists, reports and webhooks, derived from status, end reason and the answering side. */
import type { AnsweredBy, CallOutcome, CallStatus, EndReason } from '@parley/contracts';

/** The facts that determine the outcome. */
export interface EndedCall {
  status: CallStatus;
  endedReason: EndReason | null;
  answeredBy: AnsweredBy;
}

/** The outcome of a call in which the customer did not speak, by end reason. */
const OUTCOMES: Readonly<Record<EndReason, CallOutcome>> = {
  busy: 'busy',
  no_answer: 'no_answer',
  answered_late: 'cancelled',
  rejected: 'refused',
  caller_cancelled: 'hung_up_early',
  customer_hung_up: 'hung_up_early',
  // Calls that waited in a queue without an answer have the status `no-answer`.
  left_queue: 'cancelled',
  unreachable: 'unreachable',
  unavailable: 'unreachable',
  line_lost: 'unreachable',

  assistant_hung_up: 'hung_up_early',
  end_call: 'hung_up_early',
  opted_out: 'cancelled',
  assistant_transfer: 'talked',
  call_transfer: 'talked',
  voicemail: 'voicemail',
  voicemail_message: 'voicemail',
  route_message: 'talked',
  message_taken: 'talked',
  agent_hung_up: 'hung_up_early',
  agent_failed: 'our_fault',
  queue_timeout: 'cancelled',
  silence_limit: 'hung_up_early',
  duration_limit: 'hung_up_early',
  recogniser_failed: 'our_fault',
  model_failed: 'our_fault',
  voice_failed: 'our_fault',

  hang_up_requested: 'cancelled',
  cancelled: 'cancelled',
  campaign_not_started: 'cancelled',
  campaign_stopped: 'cancelled',
  campaign_completed: 'cancelled',
  campaign_deleted: 'cancelled',
  lead_changed: 'cancelled',
  lead_deleted: 'cancelled',
  lead_done: 'cancelled',
  token_revoked: 'cancelled',
  do_not_call: 'cancelled',
  consent_missing: 'cancelled',

  account_calls: 'cancelled',
  account_disabled: 'cancelled',
  assistant_not_ready: 'our_fault',
  attempt_limit: 'cancelled',
  calls_in_parallel: 'cancelled',
  country_not_allowed: 'cancelled',
  daily_limit: 'cancelled',
  disarmed: 'cancelled',
  lead_window_closed: 'cancelled',
  max_retries: 'cancelled',
  no_allowed_time: 'cancelled',
  no_line: 'our_fault',
  not_due: 'cancelled',
  number_in_call: 'cancelled',
  number_type_blocked: 'cancelled',
  round_over: 'cancelled',
  trunk_calls: 'cancelled',
  trunk_paused: 'cancelled',
  trunk_rate: 'cancelled',
  window_closed: 'cancelled',

  ended: 'hung_up_early',
  failed: 'unreachable',
  internal_error: 'our_fault',
  no_capacity: 'our_fault',
  not_connected: 'unreachable',
  process_lost: 'our_fault',
  shutdown: 'our_fault',
};

/** Outcomes that do not depend on who spoke: a conversation that Parley cut off is a fault of Parley. */
const DECIDED_BY_REASON: readonly CallOutcome[] = ['our_fault', 'voicemail'];

const LIVE: readonly CallStatus[] = ['initiated', 'ringing', 'in-progress'];

/** @returns null for a live call */
export function outcomeOf({ status, endedReason, answeredBy }: EndedCall): CallOutcome | null {
  if (LIVE.includes(status)) return null;
  if (status === 'busy') return 'busy';
  if (status === 'no-answer') return 'no_answer';
  if (status === 'failed') return OUTCOMES[endedReason ?? 'failed'];
  return outcomeAfterAnswer(endedReason ?? 'ended', answeredBy);
}

function outcomeAfterAnswer(reason: EndReason, answeredBy: AnsweredBy): CallOutcome {
  const outcome = OUTCOMES[reason];
  if (DECIDED_BY_REASON.includes(outcome)) return outcome;
  if (answeredBy === 'machine') return 'voicemail';
  return answeredBy === 'human' ? 'talked' : outcome;
}
