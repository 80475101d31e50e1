/**
 * Runs a server process: build, start, wait for a signal or the end of the parent process, stop, exit.
 */
import { systemClock } from './clock.ts';
import type { Log } from './log.ts';
import { EXIT_BAD_SETTINGS, SettingsError } from './settings.ts';

/** A part of a process. `stop` resolves when it has stopped, and may be called twice or before `start`. */
export interface Service {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** A stop that waits for work, such as calls, ends that work now. Absent: a stop waits for nothing. */
  hurry?(): void;
}

/** The parts of a process. */
export interface ProcessPlan {
  service: Service;
  log: Log;
  /** How long a stop may take before the process ends anyway, milliseconds. Default 60 000. */
  stopLimitMs?: number;
}

/** How long a stop may take before the process ends anyway, milliseconds. */
const STOP_LIMIT_MS = 60_000;
/** The same without a parent process, whose end also ends Postgres and the other processes, milliseconds. */
const ORPHAN_LIMIT_MS = 2_000;
/** How often a process checks that its parent still runs, milliseconds. */
const PARENT_CHECK_MS = 250;

/**
 * Runs a service until SIGTERM or SIGINT, of which a second one ends a stop that waits for work, or until the parent process named in `PARLEY_PARENT_PID` has ended: a supervisor
 * that is killed cannot stop its children.
 */
export async function runProcess(build: () => Promise<ProcessPlan>): Promise<void> {
  const { service, log, stopLimitMs = STOP_LIMIT_MS } = await build().catch(exitOnBadSettings);
  const stopped = new AbortController();
  const stop = (reason: string, end = leave): void => {
    if (stopped.signal.aborted) return;
    stopped.abort();
    log.info({ reason }, 'Stopping');
    systemClock.after(stopLimitMs, () => end(1));
    service.stop().then(
      () => end(0),
      (error: unknown) => {
        log.error({ err: error }, 'Stopping failed');
        end(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!stopped.signal.aborted) return stop(signal);
      log.info({ reason: signal }, 'Stopping without waiting any longer');
      service.hurry?.();
    });
  }
  watchParent(() => {
    // Also while a stop waits for calls: the supervisor was killed to end everything at once.
    systemClock.after(ORPHAN_LIMIT_MS, vanish);
    stop('the parent process is gone', vanish);
  });
  await service.start();
}

function leave(code: number): never {
  process.exit(code);
}

/** A regular exit was seen to wait for a thread forever. The parent process is gone, so the exit status is irrelevant. */
function vanish(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('Unreachable: the process has ended');
}

/** Calls `onGone` once when the process that started this one has died. Without `PARLEY_PARENT_PID` it never does. */
export function watchParent(onGone: () => void): void {
  const parent = Number(process.env['PARLEY_PARENT_PID'] ?? 0);
  if (!parent) return;
  const handle = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(handle);
    onGone();
  }, PARENT_CHECK_MS);
  handle.unref();
}

function exitOnBadSettings(error: unknown): never {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(EXIT_BAD_SETTINGS);
}
