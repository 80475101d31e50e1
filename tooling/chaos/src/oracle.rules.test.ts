import { describe, expect, test } from 'vitest';
import {
  CHARGES,
  judge,
  spoilEvidence,
  type Charge,
  type Evidence,
  type StoredCall,
  type StoredLead,
  type WireCall,
} from './oracle.rules.ts';

const NUMBER = '+12025550160';
const OTHER = '+12025550161';
const CAMPAIGN = { id: 1, cap: 1, rounds: 1, opensAtMs: 0, closesAtMs: 10_000, isComplete: true };
const LEAD: StoredLead = {
  campaignId: 1,
  number: NUMBER,
  status: 'reached-max-retries',
  isQueued: false,
  isInCall: false,
};
const WIRE: WireCall = { sipCallId: 'a', number: NUMBER, invitedAtMs: 1_000, endedAtMs: 1_050, answer: null };
const CALL: StoredCall = {
  campaignId: 1,
  number: NUMBER,
  status: 'busy',
  endedReason: 'busy',
  dialedAtMs: 990,
  answeredAtMs: null,
  endedAtMs: 1_060,
};
const LOST_CALL: StoredCall = { ...CALL, status: 'failed', endedReason: 'process_lost', endedAtMs: 5_000 };

/** One lead, called once and settled: no fault. */
const GOOD: Evidence = { wire: [WIRE], calls: [CALL], leads: [LEAD], campaigns: [CAMPAIGN] };

/** A change of {@link GOOD} and the expected charges. */
const TABLE: [what: string, change: Partial<Evidence>, expected: Charge[]][] = [
  ['a lead that was called once and settled', {}, []],
  ['settled, and the carrier never heard of it', { wire: [] }, ['lost']],
  ['permitted by a process that died before it could send', { wire: [], calls: [LOST_CALL] }, []],
  ['created, and waiting nowhere', { leads: [{ ...LEAD, status: 'created' }] }, ['lost']],
  [
    'created and waiting, in a campaign that says it is complete',
    { leads: [{ ...LEAD, status: 'created', isQueued: true }] },
    ['lost'],
  ],
  [
    'created and waiting, in a campaign that goes on',
    {
      leads: [{ ...LEAD, status: 'created', isQueued: true }],
      wire: [],
      calls: [],
      campaigns: [{ ...CAMPAIGN, isComplete: false }],
    },
    [],
  ],
  [
    'two INVITEs for one permission',
    { wire: [WIRE, { ...WIRE, sipCallId: 'b', invitedAtMs: 1_055, endedAtMs: 1_056 }] },
    ['twice'],
  ],
  [
    'a second attempt where one is allowed',
    {
      wire: [WIRE, { ...WIRE, sipCallId: 'b', invitedAtMs: 2_000, endedAtMs: 2_010 }],
      calls: [CALL, { ...CALL, dialedAtMs: 1_990, endedAtMs: 2_020 }],
    },
    ['twice'],
  ],
  [
    'a second attempt after a stop, which was none',
    {
      wire: [WIRE, { ...WIRE, sipCallId: 'b', invitedAtMs: 2_000, endedAtMs: 2_010 }],
      calls: [
        { ...CALL, status: 'failed', endedReason: 'campaign_stopped' },
        { ...CALL, dialedAtMs: 1_990, endedAtMs: 2_020 },
      ],
    },
    [],
  ],
  ['a number that is not a lead', { wire: [WIRE, { ...WIRE, sipCallId: 'b', number: OTHER }] }, ['twice']],
  [
    'a second call before the first has ended',
    {
      wire: [WIRE, { ...WIRE, sipCallId: 'b', number: OTHER, invitedAtMs: 1_049 }],
      calls: [CALL, { ...CALL, number: OTHER }],
      leads: [LEAD, { ...LEAD, number: OTHER }],
    },
    ['overCap'],
  ],
  [
    'a second call in the millisecond in which the first ends',
    {
      wire: [WIRE, { ...WIRE, sipCallId: 'b', number: OTHER, invitedAtMs: 1_050, endedAtMs: 1_060 }],
      calls: [CALL, { ...CALL, number: OTHER }],
      leads: [LEAD, { ...LEAD, number: OTHER }],
    },
    [],
  ],
  [
    'a second call after the database gave up the first, which the phone still rings for',
    {
      wire: [
        { ...WIRE, endedAtMs: null },
        { ...WIRE, sipCallId: 'b', number: OTHER, invitedAtMs: 5_001, endedAtMs: 5_002 },
      ],
      calls: [LOST_CALL, { ...CALL, number: OTHER, dialedAtMs: 5_000, endedAtMs: 5_003 }],
      leads: [LEAD, { ...LEAD, number: OTHER }],
    },
    [],
  ],
  [
    'an INVITE before the window opens',
    { campaigns: [{ ...CAMPAIGN, opensAtMs: 1_001 }] },
    ['outsideWindow'],
  ],
  [
    'an INVITE after the window has closed',
    { campaigns: [{ ...CAMPAIGN, closesAtMs: 700 }] },
    ['outsideWindow'],
  ],
  [
    'an INVITE that was on its way when the window closed',
    { campaigns: [{ ...CAMPAIGN, closesAtMs: 999 }] },
    [],
  ],
  [
    'an INVITE of a call that had been given up',
    { wire: [{ ...WIRE, invitedAtMs: 5_300, endedAtMs: null }], calls: [LOST_CALL] },
    ['late'],
  ],
  [
    'an answered call that ended with BYE',
    {
      wire: [{ ...WIRE, answer: { atMs: 1_020, isHungUp: true } }],
      calls: [{ ...CALL, status: 'completed', answeredAtMs: 1_020 }],
    },
    [],
  ],
  [
    'an answered call without BYE',
    {
      wire: [{ ...WIRE, endedAtMs: null, answer: { atMs: 1_020, isHungUp: false } }],
      calls: [{ ...CALL, status: 'failed', endedReason: 'process_lost' }],
    },
    ['notHungUp'],
  ],
  [
    'an answered call that is recorded as not answered',
    {
      wire: [{ ...WIRE, answer: { atMs: 1_020, isHungUp: true } }],
      calls: [{ ...CALL, status: 'no-answer' }],
    },
    ['misrecorded'],
  ],
];

describe('the judge', () => {
  test.each(TABLE)('%s', (_what, change, expected) => {
    const verdict = judge({ ...GOOD, ...change });
    expect(CHARGES.filter((charge) => verdict[charge].length > 0)).toEqual(expected);
  });

  test.each(CHARGES)('finds spoiled evidence: %s', (charge) => {
    const spoiled = spoilEvidence(charge, GOOD);
    expect(spoiled && judge(spoiled)[charge]).not.toHaveLength(0);
  });

  test('cannot inject a fault if there was no call', () => {
    expect(spoilEvidence('twice', { ...GOOD, wire: [] })).toBeNull();
  });
});
