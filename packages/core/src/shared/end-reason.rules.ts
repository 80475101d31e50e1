/**
 * The consequences of each end reason. `ended_reason` is written for every call; these consequences apply to calls that
 * were never answered (status `failed`): whether the attempt counts against the lead's retries, and whether the trunk
 * is at fault.
 */
import type { EndReason } from '@parley/contracts';

/** The consequences of a reason for a call that failed before it was answered. */
interface EndConsequence {
  /** Null: the call counts as an attempt. Otherwise it does not, and the lead waits this long, milliseconds. */
  pauseMs: number | null;
  /** The trunk did not answer, could not carry the call, or was lost while the phone rang. */
  isTrunkFault: boolean;
}

const COUNTS: EndConsequence = { pauseMs: null, isTrunkFault: false };
/** The dial rule decides again immediately, because the calling hours, the do-not-call list or a limit has changed. */
const NOT_MADE: EndConsequence = { pauseMs: 0, isTrunkFault: false };
const CAPACITY_PAUSE_MS = 5_000;
/** After a fault of our own: a pause, so that a broken installation does not dial in a tight loop. */
const OUR_FAULT: EndConsequence = { pauseMs: 60_000, isTrunkFault: false };

const CONSEQUENCES: Readonly<Record<EndReason, EndConsequence>> = {
  busy: COUNTS,
  no_answer: COUNTS,
  // The phone was picked up, and no person spoke.
  answered_late: COUNTS,
  rejected: COUNTS,
  caller_cancelled: COUNTS,
  customer_hung_up: COUNTS,
  left_queue: COUNTS,
  // A trunk that did not respond made no attempt; one that answered 503 did.
  unreachable: { ...OUR_FAULT, isTrunkFault: true },
  unavailable: { ...COUNTS, isTrunkFault: true },
  line_lost: { ...COUNTS, isTrunkFault: true },

  assistant_hung_up: COUNTS,
  end_call: COUNTS,
  opted_out: COUNTS,
  assistant_transfer: COUNTS,
  call_transfer: COUNTS,
  voicemail: COUNTS,
  voicemail_message: COUNTS,
  route_message: COUNTS,
  message_taken: COUNTS,
  agent_hung_up: COUNTS,
  agent_failed: COUNTS,
  queue_timeout: COUNTS,
  silence_limit: COUNTS,
  duration_limit: COUNTS,
  recogniser_failed: COUNTS,
  model_failed: COUNTS,
  voice_failed: COUNTS,

  // The callee hung up while the phone was ringing.
  hang_up_requested: COUNTS,
  cancelled: OUR_FAULT,
  campaign_not_started: NOT_MADE,
  campaign_stopped: NOT_MADE,
  campaign_completed: NOT_MADE,
  campaign_deleted: NOT_MADE,
  lead_changed: NOT_MADE,
  lead_deleted: NOT_MADE,
  lead_done: NOT_MADE,
  token_revoked: NOT_MADE,
  do_not_call: NOT_MADE,
  consent_missing: NOT_MADE,

  account_calls: NOT_MADE,
  account_disabled: OUR_FAULT,
  assistant_not_ready: OUR_FAULT,
  attempt_limit: NOT_MADE,
  calls_in_parallel: NOT_MADE,
  country_not_allowed: NOT_MADE,
  daily_limit: OUR_FAULT,
  disarmed: OUR_FAULT,
  lead_window_closed: NOT_MADE,
  max_retries: NOT_MADE,
  no_allowed_time: NOT_MADE,
  no_line: OUR_FAULT,
  not_due: NOT_MADE,
  number_in_call: NOT_MADE,
  number_type_blocked: NOT_MADE,
  round_over: NOT_MADE,
  trunk_calls: NOT_MADE,
  trunk_paused: NOT_MADE,
  trunk_rate: NOT_MADE,
  window_closed: NOT_MADE,

  ended: COUNTS,
  failed: COUNTS,
  internal_error: OUR_FAULT,
  no_capacity: { ...NOT_MADE, pauseMs: CAPACITY_PAUSE_MS },
  not_connected: COUNTS,
  // The INVITE may have left, so the attempt counts.
  process_lost: COUNTS,
  shutdown: OUR_FAULT,
};

/** @returns null when a call that failed for this reason counts as an attempt; otherwise the pause of its lead, milliseconds */
export function pauseOfUnmadeAttempt(reason: EndReason): number | null {
  return CONSEQUENCES[reason].pauseMs;
}

/** Whether a call that was not answered for this reason is a fault of its trunk. */
export function isTrunkFault(reason: EndReason): boolean {
  return CONSEQUENCES[reason].isTrunkFault;
}

/** An answered call that was cut off. If the customer had not spoken yet, it is a failed attempt. */
export function isLostAfterAnswer(reason: EndReason | null): boolean {
  return reason === 'line_lost' || reason === 'process_lost';
}
