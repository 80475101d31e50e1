/** The reasons of the dial rule in sentences, for people. The words themselves are kept for ever: calls carry them. */
import type { DialReason, NeverReason, WaitReason } from './dial-rule.rules.ts';

const WAITS: Record<WaitReason, string> = {
  campaign_not_started: 'The campaign has not been started.',
  campaign_stopped: 'The campaign is stopped.',
  campaign_completed: 'The campaign is completed; start it again to call.',
  assistant_not_ready: 'The assistant of the campaign is missing, inactive or not an outbound one.',
  not_due: 'The time of its next call has not come.',
  window_closed: 'The calling hours of the campaign are over.',
  lead_window_closed: 'It is outside the calling hours where the number is.',
  number_in_call: 'The number is in a call.',
  calls_in_parallel: 'The campaign has as many calls as it may have at once.',
  account_calls: 'The account has as many calls as it may have at once.',
  no_capacity: 'No voice process has room for another call.',
  round_over: 'Nobody is left to be called in this round.',
  no_line: 'No line reaches the number.',
  trunk_calls: 'The line has as many calls as it may have at once.',
  trunk_rate: 'The line may not begin more calls at this moment.',
  trunk_paused: 'The line is paused, because most of its calls failed.',
};

const NEVERS: Record<NeverReason, string> = {
  campaign_deleted: 'The campaign was deleted.',
  lead_deleted: 'The lead was deleted.',
  lead_done: 'The lead is done.',
  max_retries: 'All rounds have been made.',
  do_not_call: 'The number is on the do-not-call list.',
  no_allowed_time: 'No hour is left in which the number may be called.',
};

const DIALS: Record<DialReason, string> = {
  first_call: 'It was its turn, for the first time.',
  next_contact: 'The number before it in the same round was not reached.',
  retry: 'The round before was not successful, and the retry interval had passed.',
};

/** What a verdict says, in a sentence. */
export function explainReason(reason: WaitReason | NeverReason | DialReason): string {
  const words: Record<string, string> = { ...WAITS, ...NEVERS, ...DIALS };
  return words[reason] ?? reason;
}
