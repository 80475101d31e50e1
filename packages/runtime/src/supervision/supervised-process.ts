/**
 * Supervises one process: starts it, restarts it with growing pauses when it ends by itself, and stops it with SIGTERM.
 * It runs in a session of its own, so that only the supervisor handles Ctrl-C in a terminal, and it watches the
 * supervisor (`PARLEY_PARENT_PID`), so that it ends even if the supervisor is killed.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pause, type Clock } from '../clock.ts';
import { EXIT_BAD_SETTINGS } from '../settings.ts';

/** The process to supervise. */
export interface ChildPlan {
  name: string;
  /** A script, which runs under the same Node. */
  script: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Time from SIGTERM to SIGKILL, milliseconds. */
  stopLimitMs: number;
}

/** The events of the process. */
export interface ChildEvents {
  onLine(name: string, line: string): void;
  onStarted(name: string, pid: number): void;
  /** It ended by itself and is restarted after `pauseMs`. */
  onEnded(name: string, how: string, pauseMs: number): void;
  /** The settings of the process are invalid, as its last lines explain. It is not restarted. */
  onInvalidSettings(name: string): void;
  /** It sent a message over its channel (`process.send`), which exists only with this listener. */
  onMessage?(name: string, message: unknown): void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** After a run of this length the pauses start at the shortest again, milliseconds. */
const GOOD_RUN_MS = 30_000;

/** Runs from `start` to `stop`. */
export class SupervisedProcess {
  readonly name: string;
  readonly #plan: ChildPlan;
  readonly #events: ChildEvents;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  #child: ChildProcess | null = null;
  #running: Promise<void> | undefined;

  constructor(plan: ChildPlan, events: ChildEvents, clock: Clock) {
    this.name = plan.name;
    this.#plan = plan;
    this.#events = events;
    this.#clock = clock;
  }

  /** The process id; null while it does not run. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  start(): void {
    this.#running ??= this.#keepRunning();
  }

  /** It is not restarted any more. */
  letEnd(): void {
    this.#stopping.abort();
  }

  /** Sends SIGTERM, and SIGKILL after the limit. Resolves when the process has ended. */
  async stop(): Promise<void> {
    this.letEnd();
    this.#child?.kill('SIGTERM');
    const limit = this.#clock.after(this.#plan.stopLimitMs, () => this.kill());
    await this.#running;
    limit.cancel();
  }

  /** Sends a message over the channel of the process; dropped while it does not run. */
  send(message: object): void {
    // The end of the process is reported elsewhere.
    if (this.#child?.connected) this.#child.send(message, () => undefined);
  }

  /** Sends SIGTERM once more: a stop that waits for work does not wait any longer. */
  hurry(): void {
    this.#child?.kill('SIGTERM');
  }

  /** Sends SIGKILL; it is not restarted. */
  kill(): void {
    this.letEnd();
    this.#child?.kill('SIGKILL');
  }

  async #keepRunning(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!this.#stopping.signal.aborted) {
      const startedMs = this.#clock.monotonic();
      const end = await this.#runOnce();
      if (this.#stopping.signal.aborted) return;
      if (end.exitCode === EXIT_BAD_SETTINGS) return this.#events.onInvalidSettings(this.name);
      if (this.#clock.monotonic() - startedMs > GOOD_RUN_MS) pauseMs = FIRST_PAUSE_MS;
      this.#events.onEnded(this.name, end.how, pauseMs);
      await pause(this.#clock, pauseMs, this.#stopping.signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  async #runOnce(): Promise<{ exitCode: number | null; how: string }> {
    const child = spawn(process.execPath, [this.#plan.script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', this.#events.onMessage ? 'ipc' : 'ignore'],
      env: { ...this.#plan.environment, PARLEY_PARENT_PID: String(process.pid) },
    });
    this.#child = child;
    this.#readLines(child.stdout);
    this.#readLines(child.stderr);
    child.on('message', (message) => this.#events.onMessage?.(this.name, message));
    if (child.pid !== undefined) this.#events.onStarted(this.name, child.pid);
    try {
      return await endOf(child);
    } finally {
      this.#child = null;
    }
  }

  #readLines(stream: Readable | null): void {
    if (stream) createInterface({ input: stream }).on('line', (line) => this.#events.onLine(this.name, line));
  }
}

/** The `close` event comes after the last line was read. */
function endOf(child: ChildProcess): Promise<{ exitCode: number | null; how: string }> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ exitCode: null, how: error.message }));
    child.once('close', (exitCode, signal) => resolve({ exitCode, how: signal ?? `exit code ${exitCode}` }));
  });
}
