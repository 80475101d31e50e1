/**
 * Why a call ended, as `ended_reason` tells it. One list for all that write it (voice, conversation, core); what each
 * reason means for a campaign's lead and for the trunk is core's `shared/end-reason.rules.ts`.
 */

/** The far end, or the way to it. */
const FAR_END = [
  'busy',
  'no_answer',
  /** Answered after the call had been given up, for example because the process stood still. The far end got BYE. */
  'answered_late',
  'rejected',
  'caller_cancelled',
  'customer_hung_up',
  /** The caller hung up while waiting in the queue of a number. */
  'left_queue',
  'unreachable',
  'unavailable',
  'line_lost',
] as const;

/** The conversation. */
const CONVERSATION = [
  'assistant_hung_up',
  'end_call',
  'opted_out',
  'assistant_transfer',
  'call_transfer',
  'voicemail',
  'voicemail_message',
  /** The route of the number: its message was spoken, or the caller's message was recorded. */
  'route_message',
  'message_taken',
  /** The agent of a media stream closed the stream, or could not be used. */
  'agent_hung_up',
  'agent_failed',
  /** The caller has waited in the queue of a number as long as it allows, and was refused. */
  'queue_timeout',
  'silence_limit',
  'duration_limit',
  'recogniser_failed',
  'model_failed',
  'voice_failed',
] as const;

/** The call's owner, or a change that they made. */
const OWNER = [
  'hang_up_requested',
  'cancelled',
  'campaign_not_started',
  'campaign_stopped',
  'campaign_completed',
  'campaign_deleted',
  'lead_changed',
  'lead_deleted',
  'lead_done',
  /** The API token that placed the call was revoked. */
  'token_revoked',
  'do_not_call',
  'consent_missing',
] as const;

/** A limit or a rule that was checked again immediately before the INVITE. */
const RULES = [
  'account_calls',
  'account_disabled',
  'assistant_not_ready',
  'attempt_limit',
  'calls_in_parallel',
  'country_not_allowed',
  'daily_limit',
  'disarmed',
  'lead_window_closed',
  'max_retries',
  'no_allowed_time',
  'no_line',
  'not_due',
  'number_in_call',
  'number_type_blocked',
  'round_over',
  'trunk_calls',
  'trunk_paused',
  'trunk_rate',
  'window_closed',
] as const;

/** Our own processes. */
const SYSTEM = [
  'ended',
  'failed',
  'internal_error',
  'no_capacity',
  'not_connected',
  'process_lost',
  'shutdown',
] as const;

/** Every value of `ended_reason`. */
export const endReasons = [...FAR_END, ...CONVERSATION, ...OWNER, ...RULES, ...SYSTEM] as const;

/** A value of `ended_reason`. */
export type EndReason = (typeof endReasons)[number];
