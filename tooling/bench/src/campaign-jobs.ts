/**
 * P14, the job layer: a real worker (liveness, fencing, metrics) against bare graphile-worker, with jobs that do nothing.
 */
import { pause, systemClock } from '@parley/runtime';
import { startWorker } from './campaign-processes.ts';
import type { CampaignTestbed } from './campaign-testbed.ts';
import { startMeasured, type MeasuredProcess } from './measured-process.ts';
import { spreadOf, type Spread } from './spread.rules.ts';

/** The figures of the job layer. */
export interface JobFigures {
  /** Jobs per second. */
  ours: Spread;
  bare: Spread;
  /** The worker relative to bare graphile-worker, from adjacent turns. */
  ratio: Spread;
}

/** A job of the real worker that changes nothing, because the recording does not exist. */
const ADD_JOBS = `
  select count(*) from graphile_worker.add_jobs(array(
    select ('remove_recording', json_build_object('key', 'none-' || n), null, null, null, null, null, null)
      ::graphile_worker.job_spec
    from generate_series(1, $1::int) n))`;
const IS_LEFT = 'select exists (select 1 from graphile_worker._private_jobs where is_available) as "isLeft"';
const CONCURRENCY = '10';
/** Jobs before the measurement, because a new process is slow. */
const WARM_UP_JOBS = 1_000;

/** @param plan - number of jobs per turn; the turns alternate */
export async function measureJobs(
  testbed: CampaignTestbed,
  plan: { jobs: number; turns: number },
): Promise<JobFigures> {
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < plan.turns; turn++) {
    ours.push(
      await runJobs(testbed, plan.jobs, () => startWorker(testbed, { WORKER_CONCURRENCY: CONCURRENCY })),
    );
    bare.push(await runJobs(testbed, plan.jobs, async () => startBareWorker(testbed)));
  }
  const ratios = ours.map((rate, turn) => rate / (bare[turn] ?? Number.NaN));
  return { ours: spreadOf(ours), bare: spreadOf(bare), ratio: spreadOf(ratios) };
}

function startBareWorker({ databaseUrl }: CampaignTestbed): MeasuredProcess {
  return startMeasured('tooling/bench/src/campaign-bare-worker.ts', {
    DATABASE_URL: databaseUrl,
    CONCURRENCY,
  });
}

/** Jobs per second of a worker that is warmed up. */
async function runJobs(
  { sql }: CampaignTestbed,
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
