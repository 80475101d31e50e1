/** Campaigns with very many leads, and very many concurrent campaigns: neither may cost more, and none may starve. */
import { pause, systemClock } from '@parley/runtime';
import { cpuOf, hireCrew, startAll, stopAll, untilIdle, type Crew } from './campaign-crew.ts';
import type { CampaignGround } from './campaign-ground.ts';
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
  ground: CampaignGround,
  plan: { many: number; turns: number; calls: number },
): Promise<CrowdFigures> {
  const crew = await hireCrew(ground, { workers: 1, voices: 1, voice: VOICE });
  try {
    const [few = 0] = await seedCampaigns(ground, 1, { waiting: FEW, cap: CAP });
    // The first turn warms everything up.
    await dialSome(ground, crew, few, plan.calls);
    const small: Turn[] = [];
    for (let turn = 0; turn < plan.turns; turn++) small.push(await dialSome(ground, crew, few, plan.calls));
    const [many = 0] = await seedCampaigns(ground, 1, { waiting: plan.many, done: plan.many, cap: CAP });
    await dialSome(ground, crew, many, plan.calls);
    const large: Turn[] = [];
    for (let turn = 0; turn < plan.turns; turn++) large.push(await dialSome(ground, crew, many, plan.calls));
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
      correctness: await checkCalls(ground, crew),
    };
  } finally {
    await crew.dismiss();
  }
}

interface Turn {
  /** Calls per second. */
  rate: number;
  /** Per call, milliseconds. */
  cpuMs: number;
}

async function dialSome(ground: CampaignGround, crew: Crew, id: number, calls: number): Promise<Turn> {
  const ended = async (): Promise<number> =>
    (await crew.readLog()).filter(({ endedAtMs }) => endedAtMs !== null).length;
  const endedBefore = await ended();
  const before = await cpuOf(ground, crew);
  const startedMs = systemClock.monotonic();
  await startAll(ground, [id]);
  let seen = 0;
  while (seen < calls) {
    await pause(systemClock, 100);
    seen = (await ended()) - endedBefore;
  }
  const seconds = (systemClock.monotonic() - startedMs) / 1000;
  const after = await cpuOf(ground, crew);
  await stopAll(ground, [id]);
  await untilIdle(ground);
  const micros = after.worker + after.voice + after.postgres - before.worker - before.voice - before.postgres;
  return { rate: seen / seconds, cpuMs: micros / 1000 / seen };
}

/** Runs many campaigns concurrently and counts the calls of each. */
export async function measureFairness(
  ground: CampaignGround,
  plan: { campaigns: number; leadsEach: number; seconds: number },
): Promise<FairnessFigures> {
  const crew = await hireCrew(ground, { workers: 1, voices: 1, voice: VOICE });
  try {
    const ids = await seedCampaigns(ground, plan.campaigns, { waiting: plan.leadsEach, cap: 3 });
    const startedMs = systemClock.monotonic();
    await startAll(ground, ids);
    await pause(systemClock, plan.seconds * 1000);
    const seconds = (systemClock.monotonic() - startedMs) / 1000;
    const { rows } = await ground.sql.query<{ calls: number }>(
      `select count(c.id) as calls from campaigns g left join calls c on c.campaign_id = g.id
       where g.id = any($1) group by g.id`,
      [ids],
    );
    await stopAll(ground, ids);
    await untilIdle(ground);
    const calls = rows.map((row) => row.calls);
    return {
      ...plan,
      callsPerSecond: calls.reduce((sum, count) => sum + count, 0) / seconds,
      fewest: Math.min(...calls),
      median: quantile(calls, 0.5),
      most: Math.max(...calls),
      correctness: await checkCalls(ground, crew),
    };
  } finally {
    await crew.dismiss();
  }
}
