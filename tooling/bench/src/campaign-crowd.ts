/** Campaigns with very many leads, and very many concurrent campaigns: neither may cost more, and none may starve. */
import { pause, systemClock } from '@parley/runtime';
import {
  cpuOf,
  startProcesses,
  startAll,
  stopAll,
  untilIdle,
  type CampaignProcesses,
} from './campaign-processes.ts';
import type { CampaignTestbed } from './campaign-testbed.ts';
import { checkCalls } from './campaign-judge.ts';
import { seedCampaigns } from './campaign-seed.ts';
import type { Correctness } from './campaign-correctness.rules.ts';
import { quantile, spreadOf, type Spread } from './spread.rules.ts';

/** Rate and cost with few and with many leads in the tables, measured in alternation. */
export interface CrowdFigures {
  few: number;
  many: number;
  /** Calls per second with many leads, relative to few. */
  rateRatio: Spread;
  /** Processor time per call with many leads, relative to few. */
  cpuRatio: Spread;
  correctness: Correctness;
}

/** The distribution of calls over campaigns. */
export interface FairnessFigures {
  campaigns: number;
  leadsEach: number;
  callsPerSecond: number;
  fewest: number;
  median: number;
  most: number;
  correctness: Correctness;
}

const CAP = 100;
const VOICE = { capacity: 2_000, talkMs: { first: 0, last: 20 } };
const FEW = 10_000;

/** Each turn dials `calls` leads of a campaign with few leads and of one with many. */
export async function measureCrowd(
  testbed: CampaignTestbed,
  plan: { many: number; turns: number; calls: number },
): Promise<CrowdFigures> {
  const processes = await startProcesses(testbed, { workers: 1, voices: 1, voice: VOICE });
  try {
    const [few = 0] = await seedCampaigns(testbed, 1, { waiting: FEW, cap: CAP });
    // The first turn warms everything up.
    await dialSome(testbed, processes, few, plan.calls);
    const small: Turn[] = [];
    for (let turn = 0; turn < plan.turns; turn++)
      small.push(await dialSome(testbed, processes, few, plan.calls));
    const [many = 0] = await seedCampaigns(testbed, 1, { waiting: plan.many, done: plan.many, cap: CAP });
    await dialSome(testbed, processes, many, plan.calls);
    const large: Turn[] = [];
    for (let turn = 0; turn < plan.turns; turn++)
      large.push(await dialSome(testbed, processes, many, plan.calls));
    const typical = (turns: Turn[], of: keyof Turn): number =>
      quantile(
        turns.map((turn) => turn[of]),
        0.5,
      );
    return {
      few: FEW,
      many: plan.many,
      rateRatio: spreadOf(large.map(({ rate }) => rate / typical(small, 'rate'))),
      cpuRatio: spreadOf(large.map(({ cpuMs }) => cpuMs / typical(small, 'cpuMs'))),
      correctness: await checkCalls(testbed, processes),
    };
  } finally {
    await processes.stop();
  }
}

interface Turn {
  /** Calls per second. */
  rate: number;
  /** Per call, milliseconds. */
  cpuMs: number;
}

async function dialSome(
  testbed: CampaignTestbed,
  processes: CampaignProcesses,
  id: number,
  calls: number,
): Promise<Turn> {
  const ended = async (): Promise<number> =>
    (await processes.readLog()).filter(({ endedAtMs }) => endedAtMs !== null).length;
  const endedBefore = await ended();
  const before = await cpuOf(testbed, processes);
  const startedMs = systemClock.monotonic();
  await startAll(testbed, [id]);
  let seen = 0;
  while (seen < calls) {
    await pause(systemClock, 100);
    seen = (await ended()) - endedBefore;
  }
  const seconds = (systemClock.monotonic() - startedMs) / 1000;
  const after = await cpuOf(testbed, processes);
  await stopAll(testbed, [id]);
  await untilIdle(testbed);
  const micros = after.worker + after.voice + after.postgres - before.worker - before.voice - before.postgres;
  return { rate: seen / seconds, cpuMs: micros / 1000 / seen };
}

/** Runs many campaigns concurrently and counts the calls of each. */
export async function measureFairness(
  testbed: CampaignTestbed,
  plan: { campaigns: number; leadsEach: number; seconds: number },
): Promise<FairnessFigures> {
  const processes = await startProcesses(testbed, { workers: 1, voices: 1, voice: VOICE });
  try {
    const ids = await seedCampaigns(testbed, plan.campaigns, { waiting: plan.leadsEach, cap: 3 });
    const startedMs = systemClock.monotonic();
    await startAll(testbed, ids);
    await pause(systemClock, plan.seconds * 1000);
    const seconds = (systemClock.monotonic() - startedMs) / 1000;
    const { rows } = await testbed.sql.query<{ calls: number }>(
      `select count(c.id) as calls from campaigns g left join calls c on c.campaign_id = g.id
       where g.id = any($1) group by g.id`,
      [ids],
    );
    await stopAll(testbed, ids);
    await untilIdle(testbed);
    const calls = rows.map((row) => row.calls);
    return {
      ...plan,
      callsPerSecond: calls.reduce((sum, count) => sum + count, 0) / seconds,
      fewest: Math.min(...calls),
      median: quantile(calls, 0.5),
      most: Math.max(...calls),
      correctness: await checkCalls(testbed, processes),
    };
  } finally {
    await processes.stop();
  }
}
