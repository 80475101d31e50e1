/**
 * Runs jobs of some kinds, a given number at once, for as long as the process lives: while Postgres is away it waits,
 * and when the queue's own machinery gives up it is started anew. Jobs that a killed worker leaves are the business of
 * pool-liveness.ts.
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
  /** Looks for jobs at once instead of at the next poll. */
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

/** New jobs announce themselves; polling finds those whose time has come. Milliseconds. */
const POLL_INTERVAL_MS = 1_000;
/**
 * Jobs are fetched by one look for all runners instead of one each, at most so many at once: those that wait here behind
 * a busy runner are not seen by other workers.
 */
const FETCH_AT_ONCE = 4;
/** Jobs that end in the same moment are struck off together. Milliseconds. */
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
        log.error({ err: error }, 'Jobs cannot be run; trying again'),
      );
      const hasRunWell = clock.monotonic() - startedMs > LONGEST_PAUSE_MS;
      pauseMs = hasRunWell ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      await pause(clock, pauseMs, stopping.signal);
    }
  }

  /** Resolves when the runner was asked to stop, rejects when it gave up. */
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
      if (created) options.liveness.letGo((created as WorkerPool).id);
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

/** The queue waits for this hook before a runner gets its first job. */
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
