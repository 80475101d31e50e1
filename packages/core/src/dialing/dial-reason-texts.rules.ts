/** The reasons of the dial rule as sentences. The values of the reasons must not change: they are stored with calls. */
import type { DialReason, NeverReason, WaitReason } from './dial-rule.rules.ts';

const WAITS: Record<WaitReason, string> = {
  campaign_not_started: 'The campaign has not been started.',
  campaign_stopped: 'The campaign is stopped.',
  campaign_completed: 'The campaign is completed. Start it again to continue calling.',
  assistant_not_ready: 'The assistant of the campaign is missing, inactive or not an outbound assistant.',
  not_due: 'The lead is not due yet.',
  window_closed: 'The calling window of the campaign is closed.',
  lead_window_closed: 'The calling window is closed in the time zone of the number.',
  number_in_call: 'The number is in a call.',
  attempt_limit: 'The number was dialed as often as the account allows within a day or a week.',
  calls_in_parallel: 'The campaign has reached its concurrent call limit.',
  account_calls: 'The account has reached its concurrent call limit.',
  no_capacity: 'All voice processes are at capacity.',
  round_over: 'All numbers of this round have been called.',
  no_line: 'No trunk can reach the number.',
  trunk_calls: 'The trunk has reached its concurrent call limit.',
  daily_limit: 'A limit of calls or costs per day has been reached.',
  disarmed: 'The installation is a restored copy that is not armed (npm run -s cli -- arm).',
  account_disabled: 'An operator has disabled the account.',
  trunk_rate: 'The trunk has reached its limit of calls per second.',
  trunk_paused: 'The trunk is paused, because most of its calls failed.',
};

const NEVERS: Record<NeverReason, string> = {
  campaign_deleted: 'The campaign was deleted.',
  lead_deleted: 'The lead was deleted.',
  lead_done: 'The lead is done.',
  max_retries: 'All rounds are used up.',
  do_not_call: 'The number is on the do-not-call list.',
  consent_missing: 'The campaign requires consent, and there is no record of consent for the number.',
  no_allowed_time: 'The calling window never allows a call to this number.',
  country_not_allowed: 'The operator has not allowed calls to the country of the number.',
  number_type_blocked:
    'The operator has blocked numbers of this kind, for example premium-rate or satellite numbers.',
};

const DIALS: Record<DialReason, string> = {
  first_call: 'First call to the lead.',
  next_contact: 'The previous number of the same round was not reached.',
  retry: 'The previous round was not successful, and the retry interval has passed.',
};

/** The sentence for a reason; a value that is not listed is returned unchanged. */
export function explainReason(reason: WaitReason | NeverReason | DialReason): string {
  const texts: Record<string, string> = { ...WAITS, ...NEVERS, ...DIALS };
  return texts[reason] ?? reason;
}
