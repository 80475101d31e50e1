/**
 * P14. The job layer: a real worker (liveness, fencing, metrics) beside bare graphile-worker, both with jobs that do
 * nothing. The claim engine: how many attempts a second core makes when every call ends at once, without any job.
 */
import { recordCallEvent, registerVoiceProcess } from '@parley/core';
import { pause, systemClock } from '@parley/runtime';
import { startAll, stopAll } from './campaign-dialing.ts';
import { POOL_SIZE, startWorker, type CampaignGround } from './campaign-ground.ts';
import { seedCampaigns } from './campaign-seed.ts';
import { startMeasured, type MeasuredProcess } from './measured-process.ts';
import { postgresCpuMicros } from './postgres-cpu.ts';
import { spreadOf, type Spread } from './spread.rules.ts';

/** See the head of the file. */
export interface JobFigures {
  /** Jobs a second. */
  ours: Spread;
  bare: Spread;
  /** Ours over bare, of turns next to each other. */
  ratio: Spread;
}

/** Attempts a second: claimed, placed, ended busy, lead settled, slot filled again. */
export interface ClaimFigures {
  attempts: number;
  perSecond: number;
  /** Processor time of core and Postgres per attempt, milliseconds: what the rate would be on a machine of one's own. */
  cpuMs: { core: number; postgres: number };
}

/** A job of the real worker that touches no table: there is no such recording. */
const ADD_JOBS = `
  select count(*) from graphile_worker.add_jobs(array(
    select ('remove_recording', json_build_object('key', 'none-' || n), null, null, null, null, null, null)
      ::graphile_worker.job_spec
    from generate_series(1, $1::int) n))`;
const IS_LEFT = 'select exists (select 1 from graphile_worker._private_jobs where is_available) as "isLeft"';
const CONCURRENCY = '10';
/** Before the clock starts: a fresh process is slow, and nobody's worker stays fresh. */
const WARM_UP_JOBS = 1_000;

/** @param plan - jobs in each of the turns, which alternate */
export async function measureJobs(
  ground: CampaignGround,
  plan: { jobs: number; turns: number },
): Promise<JobFigures> {
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < plan.turns; turn++) {
    ours.push(
      await runJobs(ground, plan.jobs, () => startWorker(ground, { WORKER_CONCURRENCY: CONCURRENCY })),
    );
    bare.push(await runJobs(ground, plan.jobs, async () => startBareWorker(ground)));
  }
  const ratios = ours.map((rate, turn) => rate / (bare[turn] ?? Number.NaN));
  return { ours: spreadOf(ours), bare: spreadOf(bare), ratio: spreadOf(ratios) };
}

function startBareWorker({ databaseUrl }: CampaignGround): MeasuredProcess {
  return startMeasured('tooling/bench/src/campaign-bare-worker.ts', {
    DATABASE_URL: databaseUrl,
    CONCURRENCY,
  });
}

/** Jobs a second of a worker that has worked for a while. */
async function runJobs(
  { sql }: CampaignGround,
  jobs: number,
  start: () => Promise<MeasuredProcess>,
): Promise<number> {
  const worker = await start();
  const run = async (count: number): Promise<number> => {
    await sql.query(ADD_JOBS, [count]);
    const startedMs = systemClock.monotonic();
    while ((await sql.query<{ isLeft: boolean }>(IS_LEFT)).rows[0]?.isLeft) await pause(systemClock, 5);
    return count / ((systemClock.monotonic() - startedMs) / 1000);
  };
  await run(WARM_UP_JOBS);
  const rate = await run(jobs);
  await worker.stop();
  return rate;
}

const LIVE = 'select call_id as "callId" from live_calls where campaign_id = any($1) order by call_id';
const CAP = 50;

/** @param plan - campaigns beside each other: ends within one wait for each other, as they must */
export async function measureClaims(
  ground: CampaignGround,
  plan: { attempts: number; campaigns: number },
): Promise<ClaimFigures> {
  const { core, sql } = ground;
  const each = Math.ceil(plan.attempts / plan.campaigns);
  const ids = await seedCampaigns(ground, plan.campaigns, { waiting: each, cap: CAP });
  // Room for every call, at an address where nobody listens: what becomes of a call is decided here.
  await registerVoiceProcess(core, {
    url: 'http://127.0.0.1:1',
    sipAddress: '127.0.0.1:1',
    capacity: 100_000,
  });
  await sql.query(`update voice_processes set lease_until = now() + interval '1 day'`);
  await startAll(ground, ids);
  const worker = await startWorker(ground);
  const live = async (): Promise<number[]> =>
    (await sql.query<{ callId: number }>(LIVE, [ids])).rows.map(({ callId }) => callId);
  while ((await live()).length < CAP * plan.campaigns) await pause(systemClock, 20);
  await worker.stop();
  let attempts = 0;
  const [coreBefore, postgresBefore] = [process.cpuUsage(), await postgresCpuMicros(ground.postgresPid)];
  const startedMs = systemClock.monotonic();
  for (let callIds = await live(); callIds.length > 0; callIds = await live()) {
    attempts += callIds.length;
    const endOne = async (callId: number): Promise<void> => {
      await recordCallEvent(core, { callId, event: 'busy', at: new Date(systemClock.now()) });
    };
    await inLanes(callIds, endOne);
  }
  const perSecond = attempts / ((systemClock.monotonic() - startedMs) / 1000);
  const { user, system } = process.cpuUsage(coreBefore);
  const postgresMicros = (await postgresCpuMicros(ground.postgresPid)) - postgresBefore;
  const cpuMs = { core: (user + system) / 1000 / attempts, postgres: postgresMicros / 1000 / attempts };
  await stopAll(ground, ids);
  await sql.query('delete from voice_processes');
  await sql.query('delete from graphile_worker._private_jobs');
  await sql.query(`delete from deliveries where status = 'pending'`);
  return { attempts, perSecond, cpuMs };
}

/** As many at once as a process has connections. */
async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: POOL_SIZE }, lane));
}
