import type { LegEnd } from '@parley/telephony';
import { describe, expect, it } from 'vitest';
import { decideCallEnd, type HangUpRequest } from './call-end.rules.ts';

const assistant: HangUpRequest = { by: 'assistant', reason: 'end_call' };
const limit: HangUpRequest = { by: 'limit', reason: 'duration_limit' };
const transfer: HangUpRequest = { by: 'transfer', reason: 'call_transfer' };
const operator: HangUpRequest = { by: 'operator', reason: 'hang_up_requested' };

type Row = [string, LegEnd['cause'], HangUpRequest | null, string, string];

const beforeTheAnswer: Row[] = [
  ['a busy phone', 'busy', null, 'busy', 'busy'],
  ['the phone is not answered', 'no-answer', null, 'no-answer', 'no_answer'],
  ['the caller cancels', 'remote-hang-up', null, 'no-answer', 'caller_cancelled'],
  ['an operator cancels', 'cancelled', operator, 'failed', 'hang_up_requested'],
  ['cancelled without a request of ours', 'cancelled', null, 'failed', 'cancelled'],
  ['an operator ends it as it is answered', 'local-hang-up', operator, 'failed', 'hang_up_requested'],
  ['answered after the ring limit', 'answered-late', null, 'failed', 'answered_late'],
  ['answered while an operator cancels', 'answered-late', operator, 'failed', 'hang_up_requested'],
  ['declined', 'rejected', null, 'failed', 'rejected'],
  ['the trunk is unreachable', 'unreachable', null, 'failed', 'unreachable'],
  ['the connection is lost', 'line-lost', null, 'failed', 'line_lost'],
];

const afterTheAnswer: Row[] = [
  ['the customer hangs up', 'remote-hang-up', null, 'customer-hung-up', 'customer_hung_up'],
  [
    'the customer is quicker than we are',
    'remote-hang-up',
    assistant,
    'customer-hung-up',
    'customer_hung_up',
  ],
  ['the assistant hangs up', 'local-hang-up', assistant, 'assistant-hung-up', 'end_call'],
  ['a limit is reached', 'local-hang-up', limit, 'ended', 'duration_limit'],
  ['an operator ends it', 'local-hang-up', operator, 'ended', 'hang_up_requested'],
  ['our leg ends without a request', 'local-hang-up', null, 'ended', 'line_lost'],
  ['the caller was transferred', 'local-hang-up', transfer, 'ended', 'call_transfer'],
  ['the transfer target hangs up first', 'remote-hang-up', transfer, 'ended', 'call_transfer'],
  ['no more media arrives', 'line-lost', null, 'ended', 'line_lost'],
  ['the connection is lost while we hang up', 'line-lost', assistant, 'ended', 'line_lost'],
  ['a late rejection', 'rejected', null, 'ended', 'line_lost'],
];

it('distinguishes a trunk that refuses the call from one that does not answer', () => {
  const end: LegEnd = { cause: 'unreachable', sipStatus: 503, detail: 'Service Unavailable' };
  expect(decideCallEnd({ end, wasAnswered: false, requested: null })).toEqual({
    event: 'failed',
    reason: 'unavailable',
  });
});

describe.each([
  ['before the answer', false, beforeTheAnswer],
  ['after the answer', true, afterTheAnswer],
])('%s', (_when, wasAnswered, rows) => {
  it.each(rows)('%s', (_name, cause, requested, event, reason) => {
    const end = { cause, detail: 'from the line' };
    expect(decideCallEnd({ end, wasAnswered, requested })).toEqual({ event, reason });
  });
});
