import { describe, expect, it } from 'vitest';
import type { WindowState } from './calling-window.rules.ts';
import {
  decideDial,
  laterWindow,
  type DialCampaign,
  type DialNumber,
  type DialQuestion,
  type DialVerdict,
} from './dial-rule.rules.ts';

/** A Thursday. */
const NOW = new Date('2026-01-01T12:00:00Z');
const LATER = new Date('2026-01-01T12:05:00Z');

const CAMPAIGN: DialCampaign = {
  status: 'in-progress',
  isDeleted: false,
  timezone: 'UTC',
  allowedFrom: '09:00:00',
  allowedUntil: '17:00:00',
  allowedDays: ['thursday'],
  maxRetries: 2,
  retryIntervalSeconds: 600,
  isConsentRequired: false,
};

function number(leadId: number, fields: Partial<DialNumber> = {}): DialNumber {
  return {
    leadId,
    phoneNumber: `+120255501${leadId}`,
    status: 'created',
    isForbidden: false,
    hasConsent: true,
    isInCall: false,
    attemptAllowedAt: null,
    zones: [],
    trunkHold: null,
    refusal: null,
    ...fields,
  };
}

const FREE_SLOTS = { campaign: 1, account: 1, fleet: 1 };
const MAIN = number(10);
const CONTACT = number(11);
const SECOND = number(12);

function decide(fields: Partial<DialQuestion> = {}, campaign: Partial<DialCampaign> = {}): DialVerdict {
  return decideDial({
    campaign: { ...CAMPAIGN, ...campaign },
    isAssistantReady: true,
    numbers: [MAIN, CONTACT, SECOND],
    turnLeadId: 10,
    round: 1,
    readyAt: fields.now ?? NOW,
    freeSlots: FREE_SLOTS,
    now: fields.now ?? NOW,
    databaseNow: fields.now ?? NOW,
    ...fields,
  });
}

function ask(...question: Parameters<typeof decide>): string {
  const verdict = decide(...question);
  switch (verdict.do) {
    case 'dial':
      return `dial ${verdict.number.leadId}`;
    case 'never':
      return `never: ${verdict.reason}`;
    case 'wait':
      return `wait until ${verdict.until?.toISOString() ?? 'woken'}: ${verdict.reason}`;
  }
}

type Row = [
  what: string,
  expected: string,
  question?: Partial<DialQuestion>,
  campaign?: Partial<DialCampaign>,
];

const forbidden = (item: DialNumber): DialNumber => ({ ...item, isForbidden: true });

const unconsented = (item: DialNumber): DialNumber => ({ ...item, hasConsent: false });
const CONSENT_REQUIRED = { isConsentRequired: true };

const TABLE: Row[] = [
  ['nothing speaks against it', 'dial 10'],
  ['it is a contact’s turn', 'dial 11', { turnLeadId: 11 }],
  ['the turn has vanished with its contact: the round begins again', 'dial 10', { turnLeadId: 99 }],
  ['its own number is forbidden: the first contact', 'dial 11', { numbers: [forbidden(MAIN), CONTACT] }],
  [
    'the contact is done with: the next one',
    'dial 12',
    { turnLeadId: 11, numbers: [MAIN, { ...CONTACT, status: 'completed' }, SECOND] },
  ],
  ['no consent, and none is required', 'dial 10', { numbers: [unconsented(MAIN)] }],
  ['consent is required and there is consent', 'dial 10', {}, CONSENT_REQUIRED],
  [
    'consent is required and only a contact has given it: the contact',
    'dial 11',
    { numbers: [unconsented(MAIN), CONTACT] },
    CONSENT_REQUIRED,
  ],
  [
    'consent is required and no number has it',
    'never: consent_missing',
    { numbers: [unconsented(MAIN), unconsented(CONTACT)] },
    CONSENT_REQUIRED,
  ],
  [
    'consent is required, and the only number with it is forbidden',
    'never: consent_missing',
    { numbers: [unconsented(MAIN), forbidden(CONTACT)] },
    CONSENT_REQUIRED,
  ],
  [
    'consent is required, and the numbers with it have used up the round',
    'wait until 2026-01-01T12:10:00.000Z: round_over',
    { turnLeadId: 11, numbers: [MAIN, unconsented(CONTACT)] },
    CONSENT_REQUIRED,
  ],
  ['every number is forbidden', 'never: do_not_call', { numbers: [forbidden(MAIN), forbidden(CONTACT)] }],
  [
    'what is left of the round is forbidden: the next round',
    'wait until 2026-01-01T12:10:00.000Z: round_over',
    { turnLeadId: 11, numbers: [MAIN, forbidden(CONTACT)] },
  ],
  [
    'what is left of the round before the last is forbidden',
    'wait until 2026-01-01T12:10:00.000Z: round_over',
    { turnLeadId: 11, round: 2, numbers: [MAIN, forbidden(CONTACT)] },
  ],
  [
    'what is left of the last round is forbidden',
    'never: max_retries',
    { turnLeadId: 11, round: 3, numbers: [MAIN, forbidden(CONTACT)] },
  ],
  ['the last round', 'dial 10', { round: 3 }],
  ['a round too many', 'never: max_retries', { round: 4 }],
  ['one round and no more', 'dial 10', { round: 1 }, { maxRetries: 0 }],
  [
    'the number is in another call',
    'wait until 2026-01-01T12:00:05.000Z: number_in_call',
    { numbers: [{ ...MAIN, isInCall: true }] },
  ],
  [
    'the number was dialed too often: when the limits allow it again',
    'wait until 2026-01-01T12:05:00.000Z: attempt_limit',
    { numbers: [{ ...MAIN, attemptAllowedAt: LATER }, CONTACT] },
  ],
  [
    'by the clock of the database an attempt is not allowed yet',
    'wait until 2026-01-01T12:05:00.000Z: attempt_limit',
    { now: LATER, databaseNow: NOW, numbers: [{ ...MAIN, attemptAllowedAt: LATER }] },
  ],
  [
    'the limits allow the attempt again',
    'dial 10',
    { numbers: [{ ...MAIN, attemptAllowedAt: NOW }, CONTACT] },
  ],
  ['the lead is completed', 'never: lead_done', { numbers: [{ ...MAIN, status: 'completed' }] }],
  [
    'the lead has reached its retries',
    'never: lead_done',
    { numbers: [{ ...MAIN, status: 'reached-max-retries' }] },
  ],
  ['the lead was deleted', 'never: lead_deleted', { numbers: [] }],
  ['the campaign was deleted', 'never: campaign_deleted', {}, { isDeleted: true }],
  ['not started', 'wait until woken: campaign_not_started', {}, { status: 'draft' }],
  ['stopped', 'wait until woken: campaign_stopped', {}, { status: 'stopped' }],
  ['completed', 'wait until woken: campaign_completed', {}, { status: 'completed' }],
  ['the assistant is not ready', 'wait until woken: assistant_not_ready', { isAssistantReady: false }],
  [
    'before the window',
    'wait until 2026-01-01T09:00:00.000Z: window_closed',
    { now: new Date('2026-01-01T08:59:59.999Z') },
  ],
  [
    'at its end',
    'wait until 2026-01-08T09:00:00.000Z: window_closed',
    { now: new Date('2026-01-01T17:00:00Z') },
  ],
  ['no day is allowed', 'never: no_allowed_time', {}, { allowedDays: [] }],
  [
    'as many calls as allowed',
    'wait until woken: calls_in_parallel',
    { freeSlots: { ...FREE_SLOTS, campaign: 0 } },
  ],
  [
    'as many as its owner may have',
    'wait until woken: account_calls',
    { freeSlots: { ...FREE_SLOTS, account: 0 } },
  ],
  [
    'no voice process has a free slot',
    'wait until woken: no_capacity',
    { freeSlots: { ...FREE_SLOTS, fleet: 0 } },
  ],
  [
    'one above a limit that was lowered',
    'wait until woken: account_calls',
    { freeSlots: { ...FREE_SLOTS, account: -1 } },
  ],
  [
    'its line is full',
    'wait until woken: trunk_calls',
    { numbers: [{ ...MAIN, trunkHold: { reason: 'trunk_calls', until: null, trunkId: 1 } }] },
  ],
  [
    'its line is paused',
    'wait until 2026-01-01T12:05:00.000Z: trunk_paused',
    { numbers: [{ ...MAIN, trunkHold: { reason: 'trunk_paused', until: LATER, trunkId: 1 } }] },
  ],
  ['its time has not come', 'wait until 2026-01-01T12:05:00.000Z: not_due', { readyAt: LATER }],
  [
    'its time comes after the hours',
    'wait until 2026-01-08T09:00:00.000Z: not_due',
    { readyAt: new Date('2026-01-01T18:00:00Z') },
  ],
  [
    'open by this clock, not yet by the database’s',
    'wait until 2026-01-01T09:00:00.000Z: window_closed',
    { databaseNow: new Date('2026-01-01T08:59:59Z') },
  ],
  [
    'open by the database’s clock, closed by this one',
    'wait until 2026-01-08T09:00:00.000Z: window_closed',
    { now: new Date('2026-01-01T17:00:00Z'), databaseNow: NOW },
  ],
  [
    'inside the hours of the number’s zone too',
    'dial 10',
    { numbers: [{ ...MAIN, zones: ['Europe/Berlin'] }] },
  ],
  [
    'before the hours of the number’s zone',
    'wait until 2026-01-01T14:00:00.000Z: lead_window_closed',
    { numbers: [{ ...MAIN, zones: ['America/New_York'] }] },
  ],
  [
    'before the hours of one of its zones',
    'wait until 2026-01-01T16:00:00.000Z: lead_window_closed',
    { numbers: [{ ...MAIN, zones: ['America/New_York', 'America/Denver'] }] },
  ],
  [
    'the hours of its zone never meet the campaign’s',
    'never: no_allowed_time',
    { numbers: [{ ...MAIN, zones: ['Pacific/Honolulu'] }] },
  ],
  [
    'a contact in a zone that works stands in for it',
    'dial 11',
    { numbers: [{ ...MAIN, zones: ['Pacific/Honolulu'] }, CONTACT] },
  ],
  [
    'no number may be dialed: the reason of the first',
    'never: country_not_allowed',
    {
      numbers: [
        { ...MAIN, refusal: 'country_not_allowed' },
        { ...CONTACT, refusal: 'number_type_blocked' },
      ],
    },
  ],
  [
    'its own number may not be dialed: the first contact',
    'dial 11',
    { numbers: [{ ...MAIN, refusal: 'country_not_allowed' }, CONTACT] },
  ],
  [
    'a contact may not be dialed: the lead itself',
    'dial 10',
    { numbers: [MAIN, { ...CONTACT, refusal: 'number_type_blocked' }] },
  ],
  [
    'one number may not be dialed, the other never has hours',
    'never: no_allowed_time',
    {
      numbers: [
        { ...MAIN, refusal: 'country_not_allowed' },
        { ...CONTACT, zones: ['Pacific/Honolulu'] },
      ],
    },
  ],
  [
    'what ends the lead comes before what holds up the campaign',
    'never: lead_done',
    { numbers: [{ ...MAIN, status: 'completed' }] },
    { status: 'stopped' },
  ],
];

describe('the rule for dials', () => {
  it.each(TABLE)('%s: %s', (_what, expected, question, campaign) => {
    expect(ask(question, campaign)).toBe(expected);
  });

  it('the next round begins with the number of the lead', () => {
    const numbers = [MAIN, forbidden(CONTACT)];
    expect(decide({ turnLeadId: 11, numbers })).toMatchObject({ round: 2, turnLeadId: 10 });
  });

  it('a wait keeps the round and the turn', () => {
    const question = { turnLeadId: 11, round: 2, readyAt: LATER };
    expect(decide(question)).toMatchObject({ reason: 'not_due', round: 2, turnLeadId: 11 });
  });

  it.each([
    ['first_call', {}],
    ['retry', { round: 2 }],
    ['next_contact', { turnLeadId: 11 }],
    ['next_contact', { turnLeadId: 11, round: 2 }],
  ])('says why it dials: %s %j', (reason, question) => {
    expect(decide(question)).toMatchObject({ do: 'dial', reason });
  });
});

describe('a window by two clocks', () => {
  const open = (hour: number): WindowState => ({
    isOpen: true,
    closesAt: new Date(Date.UTC(2026, 0, 1, hour)),
  });
  const closed = (hour: number): WindowState => ({
    isOpen: false,
    opensAt: new Date(Date.UTC(2026, 0, 1, hour)),
  });
  const NEVER: WindowState = { isOpen: false, opensAt: null };

  it.each([
    ['open by both: the earlier end counts', open(12), open(13), open(12)],
    ['open by one only: closed', open(12), closed(13), closed(13)],
    ['closed by both: the later opening counts', closed(12), closed(13), closed(13)],
    ['never open by one', closed(12), NEVER, NEVER],
    ['never open by one, open by the other', NEVER, open(12), NEVER],
    ['never open by either', NEVER, NEVER, NEVER],
  ])('%s', (_what, one, other, expected) => {
    expect(laterWindow(one, other)).toEqual(expected);
    expect(laterWindow(other, one)).toEqual(expected);
  });
});
