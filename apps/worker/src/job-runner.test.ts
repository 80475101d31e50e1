import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@parley/db';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@parley/db/embedded';
import { silentLog, systemClock } from '@parley/runtime';
import { makeWorkerUtils } from 'graphile-worker';
import { Pool } from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { createJobRunner } from './job-runner.ts';
import { PoolLiveness } from './pool-liveness.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** A Postgres server of this test, which can be stopped and started again on the same port. */
async function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-runner-'));
  const start = (port: number): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), port, fsync: false, log: silentLog });
  let postgres = await start(0);
  const { url, port } = postgres;
  await migrate(url);
  undo.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => postgres.stop(),
  );
  return {
    url,
    stopPostgres: () => postgres.stop(),
    startPostgres: async () => {
      postgres = await start(port);
    },
  };
}

function startRunner(url: string) {
  const done = vi.fn<(payload: unknown) => void>();
  const database = new Pool({ connectionString: url, max: 5 });
  database.on('error', () => {});
  database.on('connect', (client) => client.on('error', () => {}));
  const shared = { clock: systemClock, log: silentLog };
  const liveness = new PoolLiveness({ ...shared, url, onUnlocked: () => {} });
  const runner = createJobRunner({ ...shared, tasks: { note: done }, concurrency: 2, database, liveness });
  undo.push(
    () => database.end(),
    () => liveness.stop(),
    () => runner.stop(),
  );
  return {
    done,
    database,
    runner,
    liveness,
    start: async () => Promise.all([liveness.start(), runner.start()]),
  };
}

async function addNote(url: string, note: string): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: url });
  await utils.addJob('note', { note });
  await utils.release();
}

/** A job that has run but was not removed from the queue yet runs again after an outage of Postgres, as intended. */
async function untilStruckOff(database: Pool): Promise<void> {
  const waiting = async (): Promise<unknown> =>
    (await database.query('select from graphile_worker.jobs')).rowCount;
  await vi.waitFor(async () => expect(await waiting()).toBe(0), PATIENCE);
}

const PATIENCE = { timeout: 30_000, interval: 20 };

test('jobs continue after an outage of Postgres', async () => {
  const { url, stopPostgres, startPostgres } = await setup();
  const { done, database, start } = startRunner(url);
  await start();
  await addNote(url, 'before');
  await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(1), PATIENCE);
  await untilStruckOff(database);
  await stopPostgres();
  await startPostgres();
  await addNote(url, 'after');
  await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(2), PATIENCE);
  expect(done.mock.calls.map(([payload]) => payload)).toEqual([{ note: 'before' }, { note: 'after' }]);
});

test('a runner can be started before Postgres', async () => {
  const { url, stopPostgres, startPostgres } = await setup();
  await stopPostgres();
  const { done, start, runner } = startRunner(url);
  await start();
  expect(runner.isRunning()).toBe(false);
  await startPostgres();
  await addNote(url, 'late');
  await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(1), PATIENCE);
});

test('a runner can be stopped during an outage of Postgres, and twice', async () => {
  const { url, stopPostgres } = await setup();
  const { start, runner } = startRunner(url);
  await start();
  await vi.waitFor(() => expect(runner.isRunning()).toBe(true), PATIENCE);
  await stopPostgres();
  await runner.stop();
  await runner.stop();
  expect(runner.isRunning()).toBe(false);
});
