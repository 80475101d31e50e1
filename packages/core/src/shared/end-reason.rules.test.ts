import { endReasons, type EndReason } from '@parley/contracts';
import { expect, test } from 'vitest';
import { isLostAfterAnswer, isTrunkFault, pauseOfUnmadeAttempt } from './end-reason.rules.ts';

const AT_ONCE = 0;
const FAULT = 60_000;

/** Every reason that is not an attempt; all others are. */
const UNMADE: Partial<Record<EndReason, number>> = {
  account_calls: AT_ONCE,
  token_revoked: AT_ONCE,
  account_disabled: FAULT,
  attempt_limit: AT_ONCE,
  assistant_not_ready: FAULT,
  calls_in_parallel: AT_ONCE,
  country_not_allowed: AT_ONCE,
  daily_limit: FAULT,
  disarmed: FAULT,
  campaign_completed: AT_ONCE,
  campaign_deleted: AT_ONCE,
  campaign_not_started: AT_ONCE,
  campaign_stopped: AT_ONCE,
  cancelled: FAULT,
  consent_missing: AT_ONCE,
  do_not_call: AT_ONCE,
  internal_error: FAULT,
  lead_changed: AT_ONCE,
  lead_deleted: AT_ONCE,
  lead_done: AT_ONCE,
  lead_window_closed: AT_ONCE,
  max_retries: AT_ONCE,
  no_allowed_time: AT_ONCE,
  no_capacity: 5_000,
  no_line: FAULT,
  not_due: AT_ONCE,
  number_in_call: AT_ONCE,
  number_type_blocked: AT_ONCE,
  round_over: AT_ONCE,
  shutdown: FAULT,
  trunk_calls: AT_ONCE,
  trunk_paused: AT_ONCE,
  trunk_rate: AT_ONCE,
  unreachable: FAULT,
  window_closed: AT_ONCE,
};

test.each(endReasons)('a call that failed with %s counts as an attempt, or its lead waits', (reason) => {
  expect(pauseOfUnmadeAttempt(reason)).toBe(UNMADE[reason] ?? null);
});

test('only a trunk that did not answer, was out of service, or lost the call is at fault', () => {
  expect(endReasons.filter(isTrunkFault)).toEqual(['unreachable', 'unavailable', 'line_lost']);
});

test('an answered call is lost with its line or its process', () => {
  expect(endReasons.filter(isLostAfterAnswer)).toEqual(['line_lost', 'process_lost']);
  expect(isLostAfterAnswer(null)).toBe(false);
});
