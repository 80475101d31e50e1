import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { statement } from '@parley/db';
import { silentLog, systemClock } from '@parley/runtime';
import { createTestDatabase, type TestDatabase } from '@parley/testkit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PoolLiveness } from './pool-liveness.ts';

/** Far below the four hours of the queue, far above what any machine needs. */
const PATIENCE = { timeout: 20_000, interval: 20 };

let database: TestDatabase;
const undo: (() => unknown)[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
  await database.drop();
});

const addJob = statement<{ id: number }>(
  '',
  `select id from graphile_worker.add_job($1, payload := $2::json, max_attempts := 5)`,
);
const lockJob = statement(
  '',
  `update graphile_worker._private_jobs set locked_by = $2, locked_at = now() where id = $1`,
);
const lockedBy = statement<{ lockedBy: string | null }>(
  '',
  `select locked_by from graphile_worker._private_jobs where id = $1`,
);
const heldLocks = statement<{ count: number }>(
  '',
  `select count(*) as count from pg_locks
   where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
);
/** Resolves when they are gone: until then the old lock exists and could be mistaken for the new one. */
const endLivenessConnections = statement(
  '',
  `select pg_terminate_backend(pid, 20000) from pg_stat_activity
   where datname = current_database() and application_name = 'parley worker liveness'`,
);

async function addJobLockedBy(pool: string): Promise<number> {
  const [job] = await database.db.query(addJob, ['anything', '{}']);
  await database.db.query(lockJob, [job?.id ?? 0, pool]);
  return job?.id ?? 0;
}

async function whoLocks(jobId: number): Promise<string | null | undefined> {
  return (await database.db.query(lockedBy, [jobId]))[0]?.lockedBy;
}

async function startLiveness(pools: string[]): Promise<PoolLiveness> {
  const liveness = new PoolLiveness({
    url: database.url,
    clock: systemClock,
    log: silentLog,
    onUnlocked: () => {},
  });
  await liveness.start();
  undo.push(() => liveness.stop());
  for (const pool of pools) await liveness.hold(pool, new AbortController().signal);
  return liveness;
}

/** Resolves after enough checks to detect a dead pool, so that a live pool would have been released by mistake too. */
async function waitForLooks(): Promise<void> {
  const bait = await addJobLockedBy(`pool-bait-${Math.random()}`);
  await vi.waitFor(async () => expect(await whoLocks(bait)).toBeNull(), PATIENCE);
}

describe('a pool of job runners', () => {
  test('that has died loses its jobs', async () => {
    await startLiveness(['pool-alive']);
    const job = await addJobLockedBy('pool-dead');
    await vi.waitFor(async () => expect(await whoLocks(job)).toBeNull(), PATIENCE);
  });

  test('that is alive in another process keeps its jobs', async () => {
    await startLiveness(['pool-a']);
    await startLiveness(['pool-b']);
    const job = await addJobLockedBy('pool-a');
    await waitForLooks();
    expect(await whoLocks(job)).toBe('pool-a');
  });

  test('takes its lock again after it lost its connection', async () => {
    await startLiveness(['pool-a']);
    const job = await addJobLockedBy('pool-a');
    await database.db.query(endLivenessConnections);
    await vi.waitFor(
      async () => expect(await database.db.query(heldLocks)).toEqual([{ count: 1 }]),
      PATIENCE,
    );
    await startLiveness(['pool-b']);
    await waitForLooks();
    expect(await whoLocks(job)).toBe('pool-a');
  });

  test('has its lock before its first job even if the database is unreachable at the start', async () => {
    const stopping = new AbortController();
    const liveness = new PoolLiveness({
      url: 'postgres://absent@127.0.0.1:1/absent',
      clock: systemClock,
      log: silentLog,
      onUnlocked: () => {},
    });
    await liveness.start();
    const held = liveness.hold('pool-a', stopping.signal);
    stopping.abort();
    await held;
    await liveness.stop();
  });
});

interface Runner {
  child: ChildProcess;
  pid: number;
}

async function startRunner(): Promise<Runner> {
  const script = join(import.meta.dirname, '..', 'test', 'runner-process.ts');
  const child = spawn(process.execPath, [script, database.url], { stdio: ['ignore', 'pipe', 'inherit'] });
  undo.push(() => kill(child));
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes('started')) return { child, pid: child.pid ?? 0 };
  throw new Error('The process ended before it had started.');
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const createRuns = statement('', 'create table runs (id int generated always as identity, process int)');
const readRuns = statement<{ process: number }>('', 'select process from runs order by id');

test('the jobs of a killed worker run in another worker within seconds', async () => {
  await database.db.query(createRuns);
  const first = await startRunner();
  await database.db.query(addJob, ['slow', '{"durationMs":600000}']);
  await vi.waitFor(
    async () => expect(await database.db.query(readRuns)).toEqual([{ process: first.pid }]),
    PATIENCE,
  );
  const second = await startRunner();
  await kill(first.child);
  const killedAtMs = systemClock.monotonic();
  await vi.waitFor(
    async () =>
      expect(await database.db.query(readRuns)).toEqual([{ process: first.pid }, { process: second.pid }]),
    PATIENCE,
  );
  process.stdout.write(
    `A killed worker's job ran again after ${Math.round(systemClock.monotonic() - killedAtMs)} ms\n`,
  );
});
