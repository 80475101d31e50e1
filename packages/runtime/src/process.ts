/**
 * The life of a server process: build, start, wait for a signal or the death of the parent, stop, exit.
 */
import { systemClock } from './clock.ts';
import type { Log } from './log.ts';
import { EXIT_BAD_SETTINGS, SettingsError } from './settings.ts';

/** Everything that starts can stop. Stopping twice, or before starting, is fine; `stop` waits until it is true. */
export interface Service {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What a process is made of. */
export interface ProcessPlan {
  service: Service;
  log: Log;
  /** How long a stop may take before the process ends anyway, milliseconds. Default 60 000. */
  stopLimitMs?: number;
}

/** How long a stop may take before the process ends anyway, milliseconds. */
const STOP_LIMIT_MS = 60_000;
/** The same once the parent is gone, and with it what we stand on: there is nothing to drain for, milliseconds. */
const ORPHAN_LIMIT_MS = 2_000;
/** How often a child looks whether its parent still lives, milliseconds. */
const PARENT_CHECK_MS = 250;

/**
 * Runs a service until SIGTERM or SIGINT, or until the parent named in `PARLEY_PARENT_PID` is gone: a supervisor killed
 * with SIGKILL cannot tell its children to stop, so they look for themselves.
 */
export async function runProcess(build: () => Promise<ProcessPlan>): Promise<void> {
  const { service, log, stopLimitMs = STOP_LIMIT_MS } = await build().catch(exitOnBadSettings);
  const stopped = new AbortController();
  const stop = (reason: string, { limitMs = stopLimitMs, end = leave } = {}): void => {
    if (stopped.signal.aborted) return;
    stopped.abort();
    log.info({ reason }, 'Stopping');
    systemClock.after(limitMs, () => end(1));
    service.stop().then(
      () => end(0),
      (error: unknown) => {
        log.error({ err: error }, 'Stopping failed');
        end(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  watchParent(() => stop('the parent process is gone', { limitMs: ORPHAN_LIMIT_MS, end: vanish }));
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
