import { expect, test } from 'vitest';
import { missedGoals } from './campaign-goals.rules.ts';
import type { CampaignFigures } from './campaign-figures.ts';

const SINS = { lost: 0, twice: 0, overCap: 0, outsideWindow: 0 };
const spread = (median: number) => ({ median, min: median, max: median });
const dialing = (workers: number, all: number) => ({
  workers,
  voices: 1,
  leads: 100,
  leadsPerSecond: 200,
  cpuMs: { worker: 1, voice: 1, postgres: all - 2, all },
  correctness: SINS,
});

const claims = (perSecond: number) => ({ attempts: 100, perSecond, cpuMs: { core: 0.1, postgres: 0.2 } });

const GOOD: CampaignFigures = {
  dialing: [dialing(1, 7), dialing(2, 7.5)],
  floors: { inviteMicros: 200, commitMicros: 100, postMicros: 250 },
  refill: {
    live: 2_000,
    endsPerSecond: 60,
    dialMs: { p50: 3, p99: 12 },
    inviteMs: { p50: 6, p99: 30 },
    capUse: 0.99,
    correctness: SINS,
  },
  crowd: { few: 10_000, many: 1_000_000, rateRatio: spread(0.95), cpuRatio: spread(1), correctness: SINS },
  fairness: {
    campaigns: 10,
    leadsEach: 10,
    callsPerSecond: 100,
    fewest: 1,
    median: 3,
    most: 5,
    correctness: SINS,
  },
  jobs: { ours: spread(900), bare: spread(1_000), ratio: spread(0.9) },
  claims: { atOnce: claims(6_000), oneByOne: claims(500) },
  hooks: {
    paced: [{ perSecond: 50, p50: 10, p95: 40 }],
    besideHanging: { perSecond: 50, p50: 10, p95: 44 },
    mostPerSecond: 900,
    cpuMicros: { ours: 300, bare: 100 },
  },
  load: 1,
};

test('good figures miss nothing, and what was not measured is not missed', () => {
  expect(missedGoals(GOOD)).toEqual([]);
  expect(missedGoals({ load: 1 })).toEqual([]);
});

test.each<[string, Partial<CampaignFigures>]>([
  ['P11', { dialing: [{ ...dialing(1, 7), leadsPerSecond: 149 }] }],
  ['P11', { dialing: [dialing(1, 8.1)], floors: { inviteMicros: 300, commitMicros: 150, postMicros: 250 } }],
  ['P11 a lead over', { floors: { inviteMicros: 200, commitMicros: 80, postMicros: 200 } }],
  ['P24', { dialing: [dialing(1, 7), dialing(2, 7.8)] }],
  ['P12', { refill: { ...GOOD.refill!, capUse: 0.97 } }],
  ['P12', { refill: { ...GOOD.refill!, dialMs: { p50: 3, p99: 16 } } }],
  ['P13', { crowd: { ...GOOD.crowd!, rateRatio: spread(0.89) } }],
  ['P14', { jobs: { ...GOOD.jobs!, ratio: spread(0.79) } }],
  ['P14', { claims: { ...GOOD.claims!, atOnce: claims(4_999) } }],
  ['P15', { hooks: { ...GOOD.hooks!, mostPerSecond: 799 } }],
  ['P15', { hooks: { ...GOOD.hooks!, besideHanging: { perSecond: 50, p50: 10, p95: 49 } } }],
  ['A campaign', { fairness: { ...GOOD.fairness!, fewest: 0 } }],
])('%s is missed by one figure', (words, change) => {
  const missed = missedGoals({ ...GOOD, ...change });
  expect(missed).toHaveLength(1);
  expect(missed[0]).toMatch(words);
});
