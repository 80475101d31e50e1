/**
 * R3: a worker is killed while it holds hundreds of jobs; all of them run in another worker within three seconds. The
 * job queue alone would keep them locked for four hours.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pause, systemClock } from '@parley/runtime';
import { Client } from 'pg';
import type { Check, CheckOptions, CheckResult } from './check.ts';
import { withTestbed } from './testbed.ts';
import type { PatientSql } from './patient-sql.ts';

/** R3. */
export const heldJobs: Check = { id: 'R3', what: 'a worker killed while it holds many jobs', run };

/** A process with the worker's job runner and one kind of job, which records that it started. */
const RUNNER = fileURLToPath(new URL('../../../apps/worker/test/runner-process.ts', import.meta.url));
const LIMIT_MS = 3_000;
const GIVE_UP_MS = 60_000;
/** First key of the liveness lock of a pool of job runners (worker/pool-liveness.ts). */
const LOCK_SPACE = 7_265_002;

async function run(options: CheckOptions): Promise<CheckResult> {
  const jobs = options.isFull ? 500 : 50;
  return withTestbed({ workers: 1, voices: 1 }, async ({ fleet }) => {
    await fleet.sql.query('create table runs (id int generated always as identity, process int)');
    const about = { sql: fleet.sql, url: fleet.databaseUrl };
    const tookMs = await killHolder({ ...about, jobs, isDeathHidden: false });
    options.say(`again after ${Math.round(tookMs)} ms`);
    const hiddenMs = await killHolder({ ...about, jobs: 1, isDeathHidden: true });
    return {
      counts: { jobs, 'ms until all ran again': tookMs },
      faults: tookMs <= LIMIT_MS ? [] : [`the last job ran again after ${Math.round(tookMs)} ms`],
      controls: { 'an undetectable kill': hiddenMs > LIMIT_MS },
    };
  });
}

interface Killing {
  sql: PatientSql;
  url: string;
  jobs: number;
  /** Negative control: another connection takes the lock of the dead pool, so that it appears to be alive. */
  isDeathHidden: boolean;
}

const ADD_JOBS = `
  select graphile_worker.add_job('slow', '{"durationMs":600000}', max_attempts := 5)
  from generate_series(1, $1::int)`;
const REMOVE_JOBS = `
  delete from graphile_worker._private_jobs
  where task_id = (select id from graphile_worker._private_tasks where identifier = 'slow')`;
const BEGUN = 'select count(*)::int as begun from runs where process = $1';
const POOL = `select distinct locked_by as name from graphile_worker.jobs where task_identifier = 'slow'`;

/** @returns the time from the kill until every job had run again, milliseconds */
async function killHolder({ sql, url, jobs, isDeathHidden }: Killing): Promise<number> {
  const hasBegun = async ({ pid }: ChildProcess): Promise<boolean> =>
    ((await sql.query<{ begun: number }>(BEGUN, [pid]))[0]?.begun ?? 0) >= jobs;
  const holder = await startRunner(url, jobs);
  await sql.query(ADD_JOBS, [jobs]);
  await until(() => hasBegun(holder), GIVE_UP_MS);
  const heir = await startRunner(url, jobs);
  const hider = isDeathHidden ? await waitForLock(sql, url) : null;
  holder.kill('SIGKILL');
  const killedAtMs = systemClock.monotonic();
  await until(() => hasBegun(heir), isDeathHidden ? LIMIT_MS * 1.5 : GIVE_UP_MS);
  const tookMs = systemClock.monotonic() - killedAtMs;
  heir.kill('SIGKILL');
  await hider?.end();
  await sql.query(REMOVE_JOBS);
  return tookMs;
}

async function startRunner(url: string, concurrency: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [RUNNER, url, String(concurrency)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('"started"')) return child;
  }
  throw new Error('A runner ended before it had started');
}

/** Waits for the lock of the live pool and gets it as soon as the pool dies. */
async function waitForLock(sql: PatientSql, url: string): Promise<Client> {
  const [pool] = await sql.query<{ name: string }>(POOL);
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  client.query('select pg_advisory_lock($1, hashtext($2))', [LOCK_SPACE, pool?.name]).catch(() => {});
  return client;
}

/** Resolves even if the condition never becomes true; the caller checks the time. */
async function until(isTrue: () => Promise<boolean>, limitMs: number): Promise<void> {
  const deadlineMs = systemClock.monotonic() + limitMs;
  while (!(await isTrue()) && systemClock.monotonic() < deadlineMs) await pause(systemClock, 20);
}
