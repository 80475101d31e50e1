import { expect, test } from 'vitest';
import { distribution, type TalkFigures } from './talk-figures.rules.ts';
import { holdsPace, missedByGrowth, missedByRelay, missedByWeb, missedGoals } from './talk-goals.rules.ts';
import { keptWordsError, reportErrorMs } from './talk-record.rules.ts';

const of = (...values: number[]) => distribution(values);
const NONE = of();
const GOOD: TalkFigures = {
  calls: 50,
  roles: ['talker', 'lossy', 'interrupter', 'waiter', 'called'],
  turns: 100,
  unanswered: 0,
  overheadMs: of(70, 70, 140),
  lossyTurnMs: of(700),
  aheadTurnMs: of(490),
  draftsMade: 10,
  draftsUnheard: 2,
  reportErrorMs: of(15),
  bargeInMs: of(140),
  stalePackets: 0,
  keptWordsError: of(1),
  toolSilenceMs: of(690),
  toolFillerMs: of(690),
  greetingMs: NONE,
  calledGreetingMs: of(100),
  latenessMs: of(1, 4),
  cpuPercent: 0.4,
  packetMicros: 40,
  memoryMegabytes: 1.5,
  longestStallMs: 500,
  noiseMs: NONE,
};
const measured = { silenceMs: 640, longestGapMs: 640, firstSoundMs: 5_640, understood: 'open' } as const;
const stored = {
  sender: 'bot',
  text: 'We have a table near',
  startMs: 4_630,
  latencyMs: { silence: 625 },
} as const;
const tracks = { answeredMs: 1_000, spoken: [], heard: [] };

test('good figures miss nothing, and what was not measured is not missed', () => {
  expect(missedGoals(GOOD)).toEqual([]);
  const nothing = { overheadMs: NONE, lossyTurnMs: NONE, aheadTurnMs: NONE, bargeInMs: NONE };
  const waiters = { roles: ['waiter'] } as const;
  expect(missedGoals({ ...GOOD, ...waiters, ...nothing, draftsMade: 0, draftsUnheard: 0 })).toEqual([]);
});

test.each<[string, Partial<TalkFigures>]>([
  ['P1', { overheadMs: of(90, 90, 140) }],
  ['P1', { overheadMs: of(70, 70, 151) }],
  ['P2', { lossyTurnMs: of(700, 700, 851) }],
  ['P2', { aheadTurnMs: of(501) }],
  ['P2', { draftsUnheard: 3 }],
  ['P3', { reportErrorMs: of(15, 21) }],
  ['P4', { bargeInMs: of(140, 140, 221) }],
  ['P4', { stalePackets: 1 }],
  ['P4', { keptWordsError: of(2) }],
  ['P5', { toolSilenceMs: of(701) }],
  ['P6', { calledGreetingMs: of(121) }],
  ['P7', { latenessMs: of(...Array.from({ length: 200 }, () => 1), 21) }],
  ['P8', { cpuPercent: 0.51 }],
  ['P9', { memoryMegabytes: 2.1 }],
  ['unanswered turns of 100', { unanswered: 1 }],
  ['bargeInMs has no samples', { bargeInMs: NONE }],
  ['overheadMs has no samples', { overheadMs: NONE }],
])('%s is missed by one figure', (words, change) => {
  const missed = missedGoals({ ...GOOD, ...change });
  expect(missed).toHaveLength(1);
  expect(missed[0]).toMatch(words);
});

test('one call must be quicker than fifty', () => {
  expect(missedGoals({ ...GOOD, calls: 1 })).toHaveLength(2);
});

test('the relay and the growth have separate limits', () => {
  expect([...missedByRelay(40, 10), ...missedByGrowth(1)]).toEqual([]);
  expect([...missedByRelay(41, 10), ...missedByGrowth(1.1)]).toHaveLength(2);
});

test('web calls have limits of their own, and must be answered', () => {
  const web = { joinMs: of(600), overheadMs: of(100), turns: 2, unanswered: 0 };
  expect(missedByWeb(web)).toEqual([]);
  const slow = { joinMs: of(601), overheadMs: of(101), turns: 2, unanswered: 1 };
  expect(missedByWeb(slow)).toHaveLength(3);
  expect(missedByWeb({ ...web, overheadMs: NONE })).toHaveLength(1);
});

test('more calls fit only while they are prompt and paced', () => {
  expect(holdsPace(GOOD)).toBe(true);
  expect(holdsPace({ ...GOOD, overheadMs: of(70, 70, 151) })).toBe(false);
  expect(holdsPace({ ...GOOD, latenessMs: of(1, 6) })).toBe(false);
});

test('the report is held against the turn that was heard when it says', () => {
  expect(reportErrorMs(tracks, measured, [stored])).toBe(-15);
  expect(reportErrorMs(tracks, measured, [{ ...stored, startMs: 9_000 }])).toBeNull();
});

test('kept words are counted against the sound that was heard', () => {
  const cut = { stopMs: 100, stalePackets: 0, fromMs: 5_630, heardMs: 800 };
  const text = 'We have a table near the window at seven';
  expect(keptWordsError(tracks, cut, [stored], text)).toBe(0);
  expect(keptWordsError(tracks, { ...cut, heardMs: 400 }, [stored], text)).toBe(2);
});
