import { describe, expect, it } from 'vitest';
import {
  decideLeadOutcome,
  isAttempt,
  resultOf,
  type DialResult,
  type FinishedDial,
  type LeadSituation,
  type OutcomeSettings,
} from './lead-outcome.rules.ts';

const SETTINGS: OutcomeSettings = {
  maxRetries: 1,
  retryIntervalSeconds: 600,
  isVoicemailRetried: false,
  isUnmetGoalRetried: false,
  goalVariable: null,
};
const GOAL = { isUnmetGoalRetried: true, goalVariable: 'booked' };

function result(call: Partial<FinishedDial>, settings: Partial<OutcomeSettings> = {}): string {
  const finished: FinishedDial = {
    status: 'completed',
    endedReason: 'customer_hung_up',
    answeredBy: 'human',
    hasCustomerSpoken: true,
    evaluation: {},
    variables: {},
    ...call,
  };
  const { kind, ...rest } = resultOf(finished, { ...SETTINGS, ...settings });
  return [kind, ...Object.values(rest)].join(' ');
}

type ResultRow = [
  what: string,
  expected: string,
  call: Partial<FinishedDial>,
  settings?: Partial<OutcomeSettings>,
];

const RESULTS: ResultRow[] = [
  ['a conversation', 'reached', {}],
  ['busy', 'missed busy', { status: 'busy', endedReason: 'busy' }],
  ['no answer', 'missed no_answer', { status: 'no-answer', endedReason: 'no_answer' }],
  ['rejected by the far end', 'missed rejected', { status: 'failed', endedReason: 'rejected' }],
  [
    'an unknown result counts as an attempt',
    'missed process_lost',
    { status: 'failed', endedReason: 'process_lost' },
  ],
  ['ended by its owner', 'missed hang_up_requested', { status: 'failed', endedReason: 'hang_up_requested' }],
  ['stopped', 'not-made campaign_stopped 0', { status: 'failed', endedReason: 'campaign_stopped' }],
  ['the window has closed', 'not-made window_closed 0', { status: 'failed', endedReason: 'window_closed' }],
  ['on the list meanwhile', 'not-made do_not_call 0', { status: 'failed', endedReason: 'do_not_call' }],
  [
    'no voice process had a free slot',
    'not-made no_capacity 5000',
    { status: 'failed', endedReason: 'no_capacity' },
  ],
  ['the trunk is down', 'not-made unreachable 60000', { status: 'failed', endedReason: 'unreachable' }],
  ['we broke', 'not-made internal_error 60000', { status: 'failed', endedReason: 'internal_error' }],
  [
    'busy stays busy whatever stands beside it',
    'missed shutdown',
    { status: 'busy', endedReason: 'shutdown' },
  ],
  [
    'line lost before the customer spoke',
    'missed line_lost',
    { endedReason: 'line_lost', hasCustomerSpoken: false },
  ],
  ['line lost after the customer spoke', 'reached', { endedReason: 'line_lost' }],
  ['voicemail', 'reached', { answeredBy: 'machine' }],
  [
    'voicemail, when it is retried',
    'missed voicemail',
    { answeredBy: 'machine' },
    { isVoicemailRetried: true },
  ],
  ['the answering side is unknown', 'reached', { answeredBy: 'unknown' }, { isVoicemailRetried: true }],
  ['goal met', 'reached', { evaluation: { booked: true } }, GOAL],
  ['goal not met', 'missed goal_unmet', { evaluation: { booked: false } }, GOAL],
  ['goal not met, in a word', 'missed goal_unmet', { evaluation: { booked: ' No ' } }, GOAL],
  ['goal met, in a word', 'reached', { evaluation: { booked: 'yes' } }, GOAL],
  [
    'no goal is named',
    'reached',
    { evaluation: { null: false } },
    { isUnmetGoalRetried: true, goalVariable: null },
  ],
  ['goal not met, collected during the call', 'missed goal_unmet', { variables: { booked: 0 } }, GOAL],
  [
    'the evaluation comes before what was collected',
    'reached',
    { evaluation: { booked: true }, variables: { booked: false } },
    GOAL,
  ],
  ['there is no evaluation', 'reached', { evaluation: { booked: null } }, GOAL],
  [
    'goal not met, and no retry is set',
    'reached',
    { evaluation: { booked: false } },
    { goalVariable: 'booked' },
  ],
  [
    'a goal with a name of the language',
    'reached',
    {},
    { isUnmetGoalRetried: true, goalVariable: 'constructor' },
  ],
];

describe('what a call was', () => {
  it.each(RESULTS)('%s: %s', (_what, expected, call, settings) => {
    expect(result(call, settings)).toBe(expected);
  });
});

describe('an attempt', () => {
  it.each([
    ['completed', 'customer_hung_up', true],
    ['busy', 'shutdown', true],
    ['failed', 'rejected', true],
    ['failed', 'campaign_stopped', false],
    ['failed', 'unreachable', false],
    ['failed', null, true],
  ] as const)('is a call that ended as %s, %s: %s', (status, endedReason, expected) => {
    expect(isAttempt({ status, endedReason })).toBe(expected);
  });
});

const ENDED = new Date('2026-01-01T12:00:00Z');
const MISSED: DialResult = { kind: 'missed', reason: 'busy' };
const OURS: DialResult = { kind: 'not-made', reason: 'no_capacity', pauseMs: 5000 };

type Numbers = LeadSituation['numbers'];
const open = (leadId: number): Numbers[number] => ({ leadId, status: 'created', isForbidden: false });
const FAMILY: Numbers = [open(10), open(11), open(12)];
const ALONE: Numbers = [open(10)];

function outcome(fields: Partial<LeadSituation>, settings: Partial<OutcomeSettings> = {}): string {
  const situation = { result: MISSED, numbers: ALONE, calledLeadId: 10, round: 1, endedAt: ENDED, ...fields };
  const decided = decideLeadOutcome(situation, { ...SETTINGS, ...settings });
  if (decided.do !== 'queue') return decided.do;
  return `${decided.leadId} in round ${decided.round} from ${decided.readyAt.toISOString().slice(11, 19)}`;
}

type OutcomeRow = [
  what: string,
  expected: string,
  fields: Partial<LeadSituation>,
  settings?: Partial<OutcomeSettings>,
];

const OUTCOMES: OutcomeRow[] = [
  ['reached', 'complete', { result: { kind: 'reached' } }],
  [
    'reached, whatever was written meanwhile',
    'complete',
    { result: { kind: 'reached' }, numbers: [{ ...open(10), status: 'reached-max-retries' }] },
  ],
  ['missed: another round after the interval', '10 in round 2 from 12:10:00', {}],
  ['missed in the last round', 'give-up', { round: 2 }],
  ['missed, and no retries', 'give-up', {}, { maxRetries: 0 }],
  [
    'missed in the last round, but more are allowed by now',
    '10 in round 3 from 12:10:00',
    { round: 2 },
    { maxRetries: 2 },
  ],
  ['missed: the first contact, at once', '11 in round 1 from 12:00:00', { numbers: FAMILY }],
  [
    'missed: the second contact, at once',
    '12 in round 1 from 12:00:00',
    { numbers: FAMILY, calledLeadId: 11 },
  ],
  [
    'the last contact missed: the next round begins with the lead',
    '10 in round 2 from 12:10:00',
    { numbers: FAMILY, calledLeadId: 12 },
  ],
  ['the last contact missed in the last round', 'give-up', { numbers: FAMILY, calledLeadId: 12, round: 2 }],
  [
    'a forbidden contact is passed over',
    '12 in round 1 from 12:00:00',
    { numbers: [open(10), { ...open(11), isForbidden: true }, open(12)] },
  ],
  [
    'a contact that is done is passed over',
    '10 in round 2 from 12:10:00',
    { numbers: [open(10), { ...open(11), status: 'completed' }] },
  ],
  [
    'our fault: the same number in the same round',
    '11 in round 1 from 12:00:05',
    { result: OURS, numbers: FAMILY, calledLeadId: 11 },
  ],
  ['our fault in the last round is no end', '10 in round 2 from 12:00:05', { result: OURS, round: 2 }],
  [
    'the contact that was called is gone: the first of the others, not the lead again',
    '11 in round 1 from 12:00:00',
    { numbers: FAMILY, calledLeadId: 99 },
  ],
  ['deleted meanwhile', 'nothing', { numbers: [] }],
  ['ended by its owner meanwhile', 'nothing', { numbers: [{ ...open(10), status: 'completed' }] }],
];

describe('what becomes of the lead', () => {
  it.each(OUTCOMES)('%s: %s', (_what, expected, fields, settings) => {
    expect(outcome(fields, settings)).toBe(expected);
  });

  it.each([
    ['busy', MISSED],
    ['no_capacity', OURS],
  ])('keeps the reason of the call: %s', (reason, given) => {
    const situation = { result: given, numbers: ALONE, calledLeadId: 10, round: 1, endedAt: ENDED };
    expect(decideLeadOutcome(situation, SETTINGS)).toMatchObject({ reason });
  });
});
