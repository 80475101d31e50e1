/** Assembles the worker: job runner, webhook dispatcher, sweep, and health server. */
import {
  createCoreContext,
  createEmbedder,
  diskStorage,
  findLocalServers,
  retentionDaysOf,
  serversAt,
  type CoreContext,
} from '@parley/core';
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
import { createNoiseFilter } from '@parley/speech/noise';
import { join } from 'node:path';
import { Pool } from 'pg';
import { MAX_PAGE_BYTES } from './documents/read-website.ts';
import { createJobRunner, type JobRunner } from './job-runner.ts';
import { PoolLiveness } from './pool-liveness.ts';
import { watchReachability } from './reachability.ts';
import { createRepeatedTask } from './repeated-task.ts';
import type { WorkerSettings } from './settings.ts';
import { createTaskList } from './task-list.ts';
import { createSuiteRunner } from './suites/suite-runner.ts';
import { sweepCallsTask } from './tasks/sweep-calls.ts';
import { createVoiceClient } from './voice-client.ts';
import { Dispatcher } from './webhooks/dispatcher.ts';
import { listenForWebhooks } from './webhooks/notices.ts';

import type { WorkerContext } from './worker-context.ts';

const SWEEP_PAUSE_MS = 2_000;
/** The longest time until a model server that was started on this machine is offered. */
const LOCAL_MODELS_PAUSE_MS = 60_000;
/**
 * Partitions, leads, expired data and the lists of providers are maintained at night, or later if no worker was running then;
 * campaigns, written conversations and counts every minute.
 */
const CRONTAB = `17 3 * * * ensure_partitions ?fill=1d&max=5
27 3 * * * repair_leads ?fill=1d&max=5
37 3 * * * remove_old_deliveries ?fill=1d&max=5
41 4 * * * refresh_provider_voices ?fill=1d&max=8 {}
* * * * * sweep_campaigns ?max=2
* * * * * end_written_conversations ?max=2
* * * * * fold_call_counts ?max=2
* * * * * fold_lead_counts ?max=2`;
/** Postgres connections of the job runners, used only between jobs. */
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
    otherSecretKeys: settings.OTHER_SECRET_KEYS,
    publicUrl: settings.PUBLIC_URL,
    recordings: diskStorage(join(settings.DATA_DIR, 'recordings')),
    recordingLinkDays: settings.RECORDING_LINK_DAYS,
    carrierUrls: { twilio: settings.TWILIO_API_URL, telnyx: settings.TELNYX_API_URL },
  });
  return {
    core,
    voice: createVoiceClient(settings.INTERNAL_SECRET),
    webhooks: createGuardedClient({ clock: systemClock, allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE }),
    pages: createGuardedClient({
      clock: systemClock,
      allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE,
      bodyLimitBytes: MAX_PAGE_BYTES,
    }),
    embedder: createEmbedder({ clock: systemClock, log: core.log }),
    embeddingsPerDay: settings.EMBEDDINGS_PER_DAY,
    retention: retentionDaysOf(settings),
    reachability: watchReachability(systemClock, () => db.ping()),
    noise: createNoiseFilter({ clock: systemClock }),
  };
}

/** The services of the worker. */
interface Parts {
  liveness: Service;
  jobs: JobRunner;
  webhooks: Service[];
  sweep: Service;
  suites: Service;
  /** Null when disabled. */
  localModels: Service | null;
  health: Service;
  queueDatabase: Pool;
}

function buildParts(settings: WorkerSettings, worker: WorkerContext): Parts {
  const { core } = worker;
  const { clock, log, db } = core;
  const queueDatabase = openQueueDatabase(core);
  const onUnlocked = (): void => {
    jobs.nudge();
    dispatcher.wake();
  };
  const liveness = new PoolLiveness({ url: db.directUrl, clock, log, onUnlocked });
  const jobs = createJobRunner({
    database: queueDatabase,
    liveness,
    clock,
    log,
    tasks: createTaskList(worker),
    concurrency: settings.WORKER_CONCURRENCY,
    crontab: CRONTAB,
  });
  const concurrency = settings.WEBHOOK_CONCURRENCY;
  const dispatcher = new Dispatcher({ core, client: worker.webhooks, liveness, concurrency });
  const notices = listenForWebhooks({ url: db.directUrl, clock, log, onNotice: dispatcher.wake });
  const sweep = createRepeatedTask({
    name: 'sweep_calls',
    pauseMs: SWEEP_PAUSE_MS,
    run: () => sweepCallsTask(worker),
    clock,
    log,
  });
  const suites = createSuiteRunner(worker, settings.INTERNAL_SECRET);
  const { WORKER_PORT, PORT } = settings;
  const servers = typeof settings.LOCAL_MODELS === 'string' ? undefined : serversAt(settings.LOCAL_MODELS);
  const localModels =
    settings.LOCAL_MODELS === 'off'
      ? null
      : createRepeatedTask({
          name: 'find_local_servers',
          pauseMs: LOCAL_MODELS_PAUSE_MS,
          run: () => findLocalServers(worker.core, { ownPorts: [WORKER_PORT, PORT], servers }),
          clock,
          log,
        });
  const checks = healthChecks(worker, jobs);
  const { WORKER_HOST: host, WORKER_PORT: port } = settings;
  const health = createHealthServer({ host, port, checks, clock, log });
  return {
    liveness,
    jobs,
    webhooks: [dispatcher, notices],
    sweep,
    suites,
    localModels,
    health,
    queueDatabase,
  };
}

function openQueueDatabase({ db, log }: CoreContext): Pool {
  const pool = new Pool({
    connectionString: db.directUrl,
    max: QUEUE_POOL_SIZE,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'A connection of the job queue was lost'));
  // graphile-worker requires a listener here and reports failures of the connections that it borrows itself.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

function healthChecks(worker: WorkerContext, jobs: JobRunner): HealthChecks {
  return {
    database: async () => {
      await worker.core.db.ping();
      return null;
    },
    jobs: () => (jobs.isRunning() ? null : 'the job runner is not running'),
  };
}

function createService(parts: Parts, worker: WorkerContext, log: Log): Service {
  const { liveness, jobs, webhooks, sweep, suites, localModels, health, queueDatabase } = parts;
  let stopping: Promise<void> | undefined;

  async function stop(): Promise<void> {
    await Promise.all(
      [sweep, suites, jobs, ...webhooks, localModels].map(async (service) => service?.stop()),
    );
    await Promise.all([liveness.stop(), worker.reachability.stop(), health.stop()]);
    await Promise.all([
      worker.voice.close(),
      worker.webhooks.close(),
      worker.pages.close(),
      worker.embedder.close(),
      worker.noise.stop(),
      queueDatabase.end(),
    ]);
    await worker.core.db.close();
  }

  return {
    async start() {
      await health.start();
      const services = [worker.reachability, liveness, jobs, ...webhooks, sweep, suites];
      for (const service of services) await service.start();
      await localModels?.start();
      log.info('The worker has started');
    },
    stop: () => (stopping ??= stop()),
  };
}
