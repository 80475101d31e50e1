/**
 * A process for tests that runs jobs of one kind, `slow`, on the database of its first argument: each run writes a row
 * into the table `runs` and then takes as long as the payload says. Logs go to stdout.
 */
import { createLog, pause, systemClock } from '@parley/runtime';
import { Pool } from 'pg';
import { createJobRunner, type JobRunner } from '../src/job-runner.ts';
import { PoolLiveness } from '../src/pool-liveness.ts';

const url = process.argv[2] ?? '';
/** Concurrent jobs. */
const concurrency = Number(process.argv[3] ?? 2);
const log = createLog({ name: 'runner' });
const database = new Pool({ connectionString: url, max: 5 });
database.on('error', () => {});
database.on('connect', (client) => client.on('error', () => {}));

async function slow(payload: unknown): Promise<void> {
  const { durationMs } = payload as { durationMs: number };
  await database.query('insert into runs (process) values ($1)', [process.pid]);
  await pause(systemClock, durationMs);
}

const runners: JobRunner[] = [];
const liveness = new PoolLiveness({ url, clock: systemClock, log, onUnlocked: () => runners[0]?.nudge() });
runners.push(createJobRunner({ tasks: { slow }, concurrency, database, liveness, clock: systemClock, log }));
await liveness.start();
await runners[0]?.start();
process.stdout.write('{"msg":"started"}\n');
