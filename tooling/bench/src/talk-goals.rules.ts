/** The limits of the goals P1 to P9, and the figures that miss them. */
import type { Distribution, TalkFigures } from './talk-figures.rules.ts';
import type { Role } from './talk-script.rules.ts';
import type { WebFigures } from './talk-web.ts';

const OVERHEAD_MS = { one: { p50: 60, p95: 100 }, many: { p50: 80, p95: 150 } };
/** P1 applies up to this number of calls. */
const MAX_CALLS_ON_A_CORE = 50;
const LOSSY_TURN_MS = { p50: 730, p95: 850 };
const AHEAD_TURN_P50_MS = 500;
const UNHEARD_SHARE = 0.2;
const REPORT_ERROR_P99_MS = 20;
const BARGE_IN_MS = { p50: 150, p95: 220 };
const KEPT_WORDS = 1;
const TOOL_SILENCE_MS = 700;
const GREETING_P95_MS = 120;
const LATENESS_MS = { p99: 5, max: 20 };
/** P7 applies up to this number of calls. */
const MAX_PACED_CALLS = 100;
const CPU_PERCENT = 0.5;
const PACKET_OVER_RELAY = 4;
const CALL_MEGABYTES = 2;
const GROWTH_MEGABYTES = 1;
const JOIN_MS = 600;
/** What a web call may add to P1 for one call. */
const WEB_MORE_MS = 40;
/** With fewer calls, the growth of a process has other reasons. */
const MIN_CALLS_FOR_COST = 50;

/** What callers of each role are there to measure. */
const SAMPLES: Partial<Record<Role, readonly DistributionName[]>> = {
  talker: ['overheadMs', 'reportErrorMs', 'latenessMs'],
  lossy: ['lossyTurnMs'],
  interrupter: ['bargeInMs', 'keptWordsError'],
  waiter: ['toolSilenceMs'],
  called: ['calledGreetingMs'],
};

type DistributionName = {
  [Key in keyof TalkFigures]: TalkFigures[Key] extends Distribution ? Key : never;
}[keyof TalkFigures];

/** @returns one sentence per missed goal; a goal that the round should have measured and did not is missed */
export function missedGoals(figures: TalkFigures): string[] {
  return [
    ...missedByAnswers(figures),
    ...missedByTurns(figures),
    ...missedByInterruptions(figures),
    ...missedByCost(figures),
  ].map((words) => `at ${figures.calls} calls, ${words}`);
}

/** A turn without an answer has no latency, so that the figures of the others would not show it. */
function missedByAnswers(figures: TalkFigures): string[] {
  const { roles, turns, unanswered } = figures;
  const empty = roles.flatMap((role) => (SAMPLES[role] ?? []).filter((name) => figures[name].count === 0));
  return [
    ...above(`unanswered turns of ${turns}`, unanswered, 0),
    ...empty.map((name) => `${name} has no samples`),
  ];
}

/** P8 against the relay in C. */
export function missedByRelay(packetMicros: number, relayMicros: number): string[] {
  return above('P8 cost of a packet over a relay in C', packetMicros / relayMicros, PACKET_OVER_RELAY);
}

/** P9 over many calls. */
export function missedByGrowth(megabytesPerThousand: number): string[] {
  return above('P9 growth per 1,000 finished calls, MB', megabytesPerThousand, GROWTH_MEGABYTES);
}

/** P22. */
export function missedByWeb({ joinMs, overheadMs, turns, unanswered }: WebFigures): string[] {
  const { p50, p95 } = OVERHEAD_MS.one;
  return [
    ...above(`web calls: unanswered turns of ${turns}`, unanswered, 0),
    ...(joinMs.count === 0 || overheadMs.count === 0 ? ['web calls have no samples'] : []),
    ...late('P22 join to first sound', joinMs, { p95: JOIN_MS }),
    ...late('P22 overhead of a web call', overheadMs, { p50: p50 + WEB_MORE_MS, p95: p95 + WEB_MORE_MS }),
  ];
}

/** The goals that limit the number of calls: P1 with the limits for a full core, and P7. */
export function holdsPace({ overheadMs, latenessMs }: TalkFigures): boolean {
  const limits = OVERHEAD_MS.many;
  const isPrompt = overheadMs.p50 <= limits.p50 && overheadMs.p95 <= limits.p95;
  return isPrompt && latenessMs.p99 <= LATENESS_MS.p99 && latenessMs.max <= LATENESS_MS.max;
}

function missedByTurns(figures: TalkFigures): string[] {
  const { calls, overheadMs, lossyTurnMs, aheadTurnMs, reportErrorMs, toolSilenceMs } = figures;
  const limits = calls === 1 ? OVERHEAD_MS.one : OVERHEAD_MS.many;
  const isPromised = calls <= MAX_CALLS_ON_A_CORE;
  return [
    ...(isPromised ? late('P1 overhead', overheadMs, limits) : []),
    ...late('P2 turn with 1 % loss', lossyTurnMs, LOSSY_TURN_MS),
    ...(isPromised ? late('P2 turn made ahead', aheadTurnMs, { p50: AHEAD_TURN_P50_MS }) : []),
    ...above('P2 share of unused drafts', figures.draftsUnheard / figures.draftsMade, UNHEARD_SHARE),
    ...late('P3 reported against heard', reportErrorMs, { p99: REPORT_ERROR_P99_MS }),
    ...late('P5 longest pause around a tool', toolSilenceMs, { p95: TOOL_SILENCE_MS }),
    ...late('P6 answer to first sound', figures.calledGreetingMs, { p95: GREETING_P95_MS }),
  ];
}

function missedByInterruptions({ bargeInMs, stalePackets, keptWordsError }: TalkFigures): string[] {
  return [
    ...late('P4 barge-in', bargeInMs, BARGE_IN_MS),
    ...above('P4 stale packets', stalePackets, 0),
    ...late('P4 words kept but not heard', keptWordsError, { max: KEPT_WORDS }),
  ];
}

function missedByCost({ calls, latenessMs, cpuPercent, memoryMegabytes }: TalkFigures): string[] {
  return [
    ...(calls <= MAX_PACED_CALLS ? late('P7 lateness of packets', latenessMs, LATENESS_MS) : []),
    ...(calls < MIN_CALLS_FOR_COST
      ? []
      : [
          ...above('P8 percent of a core for each call', cpuPercent, CPU_PERCENT),
          ...above('P9 megabytes for each call', memoryMegabytes, CALL_MEGABYTES),
        ]),
  ];
}

function late(
  words: string,
  figures: Distribution,
  limits: Partial<Record<'p50' | 'p95' | 'p99' | 'max', number>>,
): string[] {
  return Object.entries(limits).flatMap(([at, limit]) =>
    above(`${words}, ${at}`, figures[at as keyof typeof limits], limit),
  );
}

const above = (words: string, value: number, limit: number): string[] =>
  value > limit ? [`${words}: ${value.toFixed(1)}, allowed ${limit}`] : [];
