/**
 * The windows of rate limits, counted in this process without waiting. Once a second, while there are requests, what was
 * counted is added to the windows of all api processes in Postgres, and their sum replaces the count here. While Postgres
 * does not answer, each process counts for itself.
 * @see docs/decisions/rate-limits-of-several-processes.md
 */
import { addToWindows, forgetOldWindows, type CoreContext, type CountedWindow } from '@parley/core';
import { BackgroundWork, type Timer } from '@parley/runtime';
import { countRequest, isCurrent, WINDOW_SECONDS, type Allowance, type Window } from './rate-limit.rules.ts';

/** Between two exchanges, milliseconds. */
const EXCHANGE_MS = 1000;
/** Keys in one exchange, those with the most requests first. */
const MOST_KEYS = 500;
/** Keys that wait for a later exchange. The requests of further keys are counted in this process only. */
const MOST_WAITING = 10_000;
/** Windows that have ended are removed in an exchange that finds this many. */
const SWEEP_SIZE = 10_000;
const WINDOW_MS = WINDOW_SECONDS * 1000;

/** One for each process. */
export class SharedWindows {
  readonly #core: CoreContext;
  readonly #work: BackgroundWork;
  readonly #windows = new Map<string, Window>();
  /** Requests of the current windows that no exchange has added, by key. */
  #unsent = new Map<string, number>();
  /** Waits for the next exchange, which starts it again. Null while there is nothing to exchange. */
  #timer: Timer | null = null;
  #isExchanging = false;
  #isStopped = false;
  #isFailing = false;
  #forgottenAtMs = 0;

  constructor(core: CoreContext) {
    this.#core = core;
    this.#work = new BackgroundWork(core.log);
  }

  /** Counts a request under `key`, of which `limit` are allowed in a window. */
  count(key: string, limit: number): Allowance {
    const { window, allowance } = countRequest(this.#windows.get(key), limit, this.#core.clock.now());
    this.#windows.set(key, window);
    this.#unsent.set(key, window.used === 1 ? 1 : (this.#unsent.get(key) ?? 0) + 1);
    this.#schedule();
    return allowance;
  }

  /** Resolves when no exchange is running. */
  async settled(): Promise<void> {
    await this.#work.settled();
  }

  /** Requests are still counted afterwards, in this process only. May be called twice. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.settled();
  }

  #schedule(): void {
    if (this.#timer || this.#isExchanging || this.#isStopped) return;
    this.#timer = this.#core.clock.after(EXCHANGE_MS, () => {
      this.#timer = null;
      this.#work.start('share the windows of rate limits', () => this.#exchange());
    });
  }

  async #exchange(): Promise<void> {
    this.#isExchanging = true;
    const sent = this.#take();
    try {
      if (sent.length > 0) this.#takeOver(sent, await addToWindows(this.#core, sent, WINDOW_MS));
      await this.#forgetOld();
      this.#isFailing = false;
    } catch (error) {
      this.#giveBack(sent);
      if (!this.#isFailing)
        this.#core.log.warn({ err: error }, 'Rate limits count in this process only until Postgres answers');
      this.#isFailing = true;
    } finally {
      this.#isExchanging = false;
    }
    if (this.#unsent.size > 0) this.#schedule();
  }

  /** The windows to be exchanged now, each with its requests that were not added yet. */
  #take(): CountedWindow[] {
    const nowMs = this.#core.clock.now();
    if (this.#windows.size >= SWEEP_SIZE)
      for (const [key, window] of this.#windows) if (!isCurrent(window, nowMs)) this.#windows.delete(key);
    const waiting = [...this.#unsent].flatMap(([key, unsent]) => {
      const window = this.#windows.get(key);
      return isCurrent(window, nowMs) ? [{ key, unsent, window }] : [];
    });
    waiting.sort((a, b) => b.window.used - a.window.used);
    const later = waiting.slice(MOST_KEYS, MOST_KEYS + MOST_WAITING);
    this.#unsent = new Map(later.map(({ key, unsent }) => [key, unsent]));
    return waiting
      .slice(0, MOST_KEYS)
      .map(({ key, unsent, window }) => ({ key, startedAtMs: window.startedAtMs, used: unsent }));
  }

  /** Requests that were counted during the exchange are added to the sum. */
  #takeOver(sent: readonly CountedWindow[], shared: readonly CountedWindow[]): void {
    const nowMs = this.#core.clock.now();
    const sums = new Map(shared.map((window) => [window.key, window]));
    for (const { key, startedAtMs } of sent) {
      const sum = sums.get(key);
      // A window that began during the exchange takes over the sum of the next one.
      if (!sum || this.#windows.get(key)?.startedAtMs !== startedAtMs) continue;
      const used = sum.used + (this.#unsent.get(key) ?? 0);
      this.#windows.set(key, { startedAtMs: Math.min(sum.startedAtMs, nowMs), used });
    }
  }

  #giveBack(sent: readonly CountedWindow[]): void {
    for (const { key, startedAtMs, used } of sent)
      if (this.#windows.get(key)?.startedAtMs === startedAtMs)
        this.#unsent.set(key, (this.#unsent.get(key) ?? 0) + used);
  }

  /** Once in the length of a window. */
  async #forgetOld(): Promise<void> {
    const nowMs = this.#core.clock.now();
    if (Math.abs(nowMs - this.#forgottenAtMs) < WINDOW_MS) return;
    this.#forgottenAtMs = nowMs;
    await forgetOldWindows(this.#core, WINDOW_MS);
  }
}
