/**
 * Runs jobs with a fixed concurrency for the lifetime of the process. It waits while Postgres is unreachable, and restarts
 * graphile-worker when that gives up. pool-liveness.ts releases the jobs of killed workers.
 */
import { BackgroundWork, pause, type Clock, type Log, type Service } from '@parley/runtime';
import {
  run,
  type Runner,
  type RunnerOptions,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';
import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { createQueueLogger } from './job-queue-log.ts';
import type { PoolLiveness } from './pool-liveness.ts';

export interface JobRunner extends Service {
  /** Looks for jobs immediately instead of at the next poll. */
  nudge(): void;
  isRunning(): boolean;
}

export interface JobRunnerOptions {
  tasks: TaskList;
  concurrency: number;
  /** Lines of a crontab: `minute hour day month weekday task`, with options. */
  crontab?: string;
  database: Pool;
  liveness: PoolLiveness;
  clock: Clock;
  log: Log;
}

/** New jobs are notified by Postgres; polling finds jobs that become due. Milliseconds. */
const POLL_INTERVAL_MS = 1_000;
/**
 * The number of jobs that one query fetches for all runners of this process. Jobs that were fetched and wait for a busy
 * runner are not available to other workers, so the number is small.
 */
const FETCH_AT_ONCE = 4;
/** Jobs that finish at the same moment are removed by one statement. Milliseconds. */
const COMPLETE_WITHIN_MS = 0;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { clock, log } = options;
  const stopping = new AbortController();
  const background = new BackgroundWork(log);
  let pool: WorkerPool | null = null;
  let running: Promise<void> | undefined;

  async function keepRunning(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      const startedMs = clock.monotonic();
      await runOnce().catch((error: unknown) =>
        log.error({ err: error }, 'The job runner failed; restarting it'),
      );
      const hasRunWell = clock.monotonic() - startedMs > LONGEST_PAUSE_MS;
      pauseMs = hasRunWell ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      await pause(clock, pauseMs, stopping.signal);
    }
  }

  /** Resolves when the runner was stopped, rejects when it gave up. */
  async function runOnce(): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    let created: WorkerPool | null = null;
    events.on('pool:create', ({ workerPool }) => {
      created = pool = workerPool;
      background.start('hold the lock of a pool', () =>
        options.liveness.hold(workerPool.id, stopping.signal),
      );
    });
    try {
      await runUntilStopped(await run({ ...runnerOptions(options, stopping.signal), events }));
    } finally {
      pool = null;
      if (created) options.liveness.release((created as WorkerPool).id);
    }
  }

  async function runUntilStopped(runner: Runner): Promise<void> {
    const stop = (): void => background.start('stop the job runner', () => runner.stop());
    stopping.signal.addEventListener('abort', stop, { once: true });
    if (stopping.signal.aborted) stop();
    try {
      await runner.promise;
    } finally {
      stopping.signal.removeEventListener('abort', stop);
    }
  }

  return {
    async start() {
      running ??= keepRunning();
    },
    async stop() {
      stopping.abort();
      await running;
      await background.settled();
    },
    nudge: () => pool?.nudge(options.concurrency),
    isRunning: () => pool !== null,
  };
}

function runnerOptions(options: JobRunnerOptions, stopping: AbortSignal): RunnerOptions {
  const { tasks, concurrency, crontab, database, liveness, log } = options;
  return {
    pgPool: database,
    taskList: tasks,
    concurrency,
    crontab: crontab ?? '',
    pollInterval: POLL_INTERVAL_MS,
    noHandleSignals: true,
    logger: createQueueLogger(log),
    preset: {
      plugins: [holdLockBeforeFirstJob(liveness, stopping)],
      worker: { localQueue: { size: FETCH_AT_ONCE }, completeJobBatchDelay: COMPLETE_WITHIN_MS },
    },
  };
}

/** graphile-worker awaits this hook before a runner gets its first job. */
function holdLockBeforeFirstJob(liveness: PoolLiveness, stopping: AbortSignal): GraphileConfig.Plugin {
  return {
    name: 'ParleyPoolLivenessPlugin',
    version: '1.0.0',
    worker: {
      hooks: {
        startWorker: async (_info, { worker }) => liveness.hold(worker.workerPool.id, stopping),
      },
    },
  };
}
