/** Puts the worker together: the job runners, the sweep, and a small server that says how it is. */
import { createCoreContext, diskStorage, type CoreContext } from '@parley/core';
import { openDatabase } from '@parley/db';
import {
  createHealthServer,
  createLog,
  systemClock,
  type HealthChecks,
  type Log,
  type Service,
} from '@parley/runtime';
import { createGuardedClient } from '@parley/runtime/guarded-http';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createJobRunner, type JobRunner } from './job-runner.ts';
import { PoolLiveness } from './pool-liveness.ts';
import { watchReachability } from './reachability.ts';
import { createRepeatedTask } from './repeated-task.ts';
import type { WorkerSettings } from './settings.ts';
import { CALL_JOBS, createTaskList, WEBHOOK_JOBS } from './task-list.ts';
import { sweepCallsTask } from './tasks/sweep-calls.ts';
import { createVoiceClient } from './voice-client.ts';

import type { WorkerContext } from './worker-context.ts';

const SWEEP_PAUSE_MS = 2_000;
/** Partitions at night, late if every worker was down then; campaigns every minute. */
const CRONTAB = `17 3 * * * ensure_partitions ?fill=1d&max=5
* * * * * sweep_campaigns ?max=2`;
/** Connections of the job runners to Postgres: they are used only between jobs. */
const QUEUE_POOL_SIZE = 10;

/** Builds the worker without starting anything. */
export function buildWorker(settings: WorkerSettings): { service: Service; log: Log } {
  const log = createLog({
    name: 'worker',
    level: settings.LOG_LEVEL,
    includePersonalData: settings.LOG_PERSONAL_DATA,
  });
  const worker = createWorkerContext(settings, log);
  const parts = buildParts(settings, worker);
  return { service: createService(parts, worker, log), log };
}

function createWorkerContext(settings: WorkerSettings, log: Log): WorkerContext {
  const db = openDatabase({ url: settings.DATABASE_URL, directUrl: settings.DATABASE_URL_DIRECT, log });
  const core = createCoreContext({
    db,
    clock: systemClock,
    log,
    secretKey: settings.SECRET_KEY,
    publicUrl: settings.PUBLIC_URL,
    recordings: diskStorage(join(settings.DATA_DIR, 'recordings')),
    allowPrivateWebhooks: settings.WEBHOOK_ALLOW_PRIVATE,
  });
  return {
    core,
    voice: createVoiceClient(settings.INTERNAL_SECRET),
    webhooks: createGuardedClient({ clock: systemClock, allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE }),
    reachability: watchReachability(systemClock, () => db.ping()),
  };
}

/** What starts and stops, in this order and in the opposite one. */
interface Parts {
  liveness: Service;
  runners: JobRunner[];
  sweep: Service;
  health: Service;
  queueDatabase: Pool;
}

function buildParts(settings: WorkerSettings, worker: WorkerContext): Parts {
  const { clock, log, db } = worker.core;
  const queueDatabase = openQueueDatabase(worker.core);
  const runners: JobRunner[] = [];
  const onUnlocked = (): void => runners.forEach((runner) => runner.nudge());
  const liveness = new PoolLiveness({ url: db.directUrl, clock, log, onUnlocked });
  const shared = { database: queueDatabase, liveness, clock, log };
  runners.push(
    createJobRunner({
      ...shared,
      tasks: createTaskList(worker, CALL_JOBS),
      concurrency: settings.WORKER_CONCURRENCY,
      crontab: CRONTAB,
    }),
    createJobRunner({
      ...shared,
      tasks: createTaskList(worker, WEBHOOK_JOBS),
      concurrency: settings.WEBHOOK_CONCURRENCY,
    }),
  );
  const sweep = createRepeatedTask({
    name: 'sweep_calls',
    pauseMs: SWEEP_PAUSE_MS,
    run: () => sweepCallsTask(worker),
    clock,
    log,
  });
  const checks = healthChecks(worker, runners);
  const health = createHealthServer({ host: settings.WORKER_HOST, port: settings.WORKER_PORT, checks });
  return { liveness, runners, sweep, health, queueDatabase };
}

function openQueueDatabase({ db, log }: CoreContext): Pool {
  const pool = new Pool({
    connectionString: db.directUrl,
    max: QUEUE_POOL_SIZE,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'A connection of the job queue was lost'));
  // The queue asks for a listener here too; it borrows connections and reports their failures itself.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

function healthChecks(worker: WorkerContext, runners: JobRunner[]): HealthChecks {
  return {
    database: async () => {
      await worker.core.db.ping();
      return null;
    },
    jobs: () => (runners.every((runner) => runner.isRunning()) ? null : 'jobs are not being run'),
  };
}

function createService(parts: Parts, worker: WorkerContext, log: Log): Service {
  const { liveness, runners, sweep, health, queueDatabase } = parts;
  let stopping: Promise<void> | undefined;

  async function stop(): Promise<void> {
    await Promise.all([sweep.stop(), ...runners.map((runner) => runner.stop())]);
    await Promise.all([liveness.stop(), worker.reachability.stop(), health.stop()]);
    await Promise.all([worker.voice.close(), worker.webhooks.close(), queueDatabase.end()]);
    await worker.core.db.close();
  }

  return {
    async start() {
      await health.start();
      const services = [worker.reachability, liveness, ...runners, sweep];
      for (const service of services) await service.start();
      log.info('The worker has started');
    },
    stop: () => (stopping ??= stop()),
  };
}
