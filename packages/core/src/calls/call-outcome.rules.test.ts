import { callOutcomes, endReasons, type CallStatus } from '@parley/contracts';
import { expect, test } from 'vitest';
import { outcomeOf } from './call-outcome.rules.ts';

test.each([
  // status, reason, who answered: outcome
  ['completed', 'customer_hung_up', 'human', 'talked'],
  ['ended_by_assistant', 'end_call', 'human', 'talked'],
  ['completed', 'hang_up_requested', 'human', 'talked'],
  ['completed', 'hang_up_requested', 'unknown', 'cancelled'],
  ['completed', 'customer_hung_up', 'unknown', 'hung_up_early'],
  ['completed', 'silence_limit', 'unknown', 'hung_up_early'],
  ['completed', 'customer_hung_up', 'machine', 'voicemail'],
  ['completed', 'voicemail', 'human', 'voicemail'],
  ['completed', 'process_lost', 'human', 'our_fault'],
  ['completed', 'model_failed', 'human', 'our_fault'],
  ['completed', 'process_lost', 'machine', 'our_fault'],
  ['completed', 'line_lost', 'human', 'talked'],
  ['completed', 'line_lost', 'unknown', 'unreachable'],
  ['completed', 'call_transfer', 'unknown', 'talked'],
  ['completed', null, 'unknown', 'hung_up_early'],
  ['busy', 'busy', 'unknown', 'busy'],
  ['no-answer', 'no_answer', 'unknown', 'no_answer'],
  ['failed', 'rejected', 'unknown', 'refused'],
  ['failed', 'unavailable', 'unknown', 'unreachable'],
  ['failed', 'campaign_stopped', 'unknown', 'cancelled'],
  ['failed', 'window_closed', 'unknown', 'cancelled'],
  ['failed', 'process_lost', 'unknown', 'our_fault'],
  ['failed', null, 'unknown', 'unreachable'],
  ['failed', 'caller_cancelled', 'unknown', 'hung_up_early'],
] as const)('%s with %s, answered by %s: %s', (status, endedReason, answeredBy, outcome) => {
  expect(outcomeOf({ status, endedReason, answeredBy })).toBe(outcome);
});

test.each<CallStatus>(['initiated', 'ringing', 'in-progress'])('a call that is %s has none yet', (status) => {
  expect(outcomeOf({ status, endedReason: null, answeredBy: 'unknown' })).toBeNull();
});

test('every outcome can occur', () => {
  const statuses: CallStatus[] = ['completed', 'failed', 'busy', 'no-answer'];
  const found = statuses.flatMap((status) =>
    endReasons.flatMap((endedReason) =>
      (['human', 'machine', 'unknown'] as const).map((answeredBy) =>
        outcomeOf({ status, endedReason, answeredBy }),
      ),
    ),
  );
  expect(new Set(found)).toEqual(new Set(callOutcomes));
});
