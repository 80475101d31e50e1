/**
 * P14, claims without jobs and voice: attempts per second when many slots are free at once, as after a start, at the
 * beginning of a calling window or after a limit was raised; and attempts per second when each call ends alone: claimed,
 * placed, ended busy, lead settled, slot refilled.
 */
import { recordCallEvent, registerVoiceProcess, runCampaign } from '@parley/core';
import { systemClock } from '@parley/runtime';
import { startAll, stopAll } from './campaign-processes.ts';
import { POOL_SIZE, type CampaignTestbed } from './campaign-testbed.ts';
import { seedCampaigns } from './campaign-seed.ts';
import { inLanes } from './in-lanes.ts';
import { postgresCpuMicros } from './postgres-cpu.ts';

/** Attempts per second, and processor time of core and Postgres per attempt, milliseconds. */
interface ClaimRate {
  attempts: number;
  perSecond: number;
  cpuMs: { core: number; postgres: number };
}

/** The figures of P14. */
export interface ClaimFigures {
  atOnce: ClaimRate;
  oneByOne: ClaimRate;
}

/** Concurrent campaigns; claims and ends of one campaign wait for each other. */
const CAMPAIGNS = 4;
const CAP = { atOnce: 200, oneByOne: 50 };
/** Rounds of claims before the measurement. */
const WARM_UP_ROUNDS = 3;

/** @param plan - `rounds`: how often the slots of all campaigns are filled; `turnover`: calls that end one by one */
export async function measureClaims(
  testbed: CampaignTestbed,
  plan: { rounds: number; turnover: number },
): Promise<ClaimFigures> {
  // A voice process with capacity for every call at an unused address: the benchmark decides the result of calls.
  await registerVoiceProcess(testbed.core, {
    url: 'http://127.0.0.1:1',
    sipAddress: '127.0.0.1:1',
    capacity: 100_000,
  });
  await testbed.sql.query(`update voice_processes set lease_until = now() + interval '1 day'`);
  return {
    atOnce: await claimAtOnce(testbed, plan.rounds),
    oneByOne: await turnOver(testbed, plan.turnover),
  };
}

async function claimAtOnce(testbed: CampaignTestbed, rounds: number): Promise<ClaimRate> {
  const waiting = CAP.atOnce * (rounds + WARM_UP_ROUNDS);
  const ids = await seedCampaigns(testbed, CAMPAIGNS, { waiting, cap: CAP.atOnce });
  await startAll(testbed, ids);
  const fill = (): Promise<unknown> => Promise.all(ids.map((id) => runCampaign(testbed.core, id)));
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    await fill();
    await releaseSlots(testbed);
  }
  const total = { attempts: 0, seconds: 0, coreMicros: 0, postgresMicros: 0 };
  for (let round = 0; round < rounds; round++) {
    const used = await clocked(testbed, fill);
    total.attempts += await releaseSlots(testbed);
    total.seconds += used.seconds;
    total.coreMicros += used.coreMicros;
    total.postgresMicros += used.postgresMicros;
  }
  if (total.attempts !== rounds * CAMPAIGNS * CAP.atOnce) throw new Error('Not every slot was filled');
  await endAll(testbed, ids);
  return rateOf(total, total.attempts);
}

async function turnOver(testbed: CampaignTestbed, attempts: number): Promise<ClaimRate> {
  const { core, sql } = testbed;
  const waiting = Math.ceil(attempts / CAMPAIGNS);
  const ids = await seedCampaigns(testbed, CAMPAIGNS, { waiting, cap: CAP.oneByOne });
  await startAll(testbed, ids);
  for (const id of ids) await runCampaign(core, id);
  const live = async (): Promise<number[]> =>
    (await sql.query<{ callId: number }>(LIVE, [ids])).rows.map(({ callId }) => callId);
  let ended = 0;
  const used = await clocked(testbed, async () => {
    for (let callIds = await live(); callIds.length > 0; callIds = await live()) {
      ended += callIds.length;
      await inLanes(POOL_SIZE, callIds, async (callId) => {
        await recordCallEvent(core, { callId, event: 'busy', at: new Date(systemClock.now()) });
      });
    }
  });
  if (ended !== waiting * CAMPAIGNS) throw new Error('Some leads got no call, or more than one');
  await endAll(testbed, ids);
  return rateOf(used, ended);
}

interface Used {
  seconds: number;
  coreMicros: number;
  postgresMicros: number;
}

async function clocked({ postgresPid }: CampaignTestbed, work: () => Promise<unknown>): Promise<Used> {
  const [coreBefore, postgresBefore] = [process.cpuUsage(), await postgresCpuMicros(postgresPid)];
  const startedMs = systemClock.monotonic();
  await work();
  const seconds = (systemClock.monotonic() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(coreBefore);
  const postgresMicros = (await postgresCpuMicros(postgresPid)) - postgresBefore;
  return { seconds, coreMicros: user + system, postgresMicros };
}

function rateOf({ seconds, coreMicros, postgresMicros }: Used, attempts: number): ClaimRate {
  const each = (micros: number): number => micros / 1000 / attempts;
  return {
    attempts,
    perSecond: attempts / seconds,
    cpuMs: { core: each(coreMicros), postgres: each(postgresMicros) },
  };
}

/** @returns the number of claimed leads */
async function releaseSlots({ sql }: CampaignTestbed): Promise<number> {
  const { rows } = await sql.query<{ taken: number }>(
    `with gone as (delete from live_calls returning lead_id) select count(distinct lead_id) as taken from gone`,
  );
  await sql.query('delete from graphile_worker._private_jobs');
  return rows[0]?.taken ?? 0;
}

const LIVE = 'select call_id as "callId" from live_calls where campaign_id = any($1) order by call_id';

async function endAll(testbed: CampaignTestbed, ids: readonly number[]): Promise<void> {
  await stopAll(testbed, ids);
  await testbed.sql.query('delete from graphile_worker._private_jobs');
  await testbed.sql.query(`delete from deliveries where status = 'pending'`);
}
