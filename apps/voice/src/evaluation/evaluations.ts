/**
 * Evaluates ended calls with the model of their assistant, and settles them. The worker, which has no access to models,
 * requests each evaluation, and repeats the request until the call is settled (core, lifecycle/plan-evaluation.ts).
 */
import { completeCall, loadCallToEvaluate, type CoreContext, type ProviderAccess } from '@parley/core';
import type { LanguageModel } from '@parley/speech';
import { askModel } from './ask-model.ts';

/** Options of the evaluations. */
export interface EvaluationsOptions {
  core: CoreContext;
  /** @throws SpeechError when the provider does not offer the model */
  openModel: (model: ProviderAccess) => LanguageModel;
}

/** Limit for both attempts together, milliseconds; the sweep settles a call 60 s after its hang-up. */
const TIME_LIMIT_MS = 45_000;
/** Concurrent evaluations; the others wait, so that the end of a campaign does not flood a provider. */
const MAX_RUNNING = 8;

/** The evaluations of one process. */
export class Evaluations {
  readonly #options: EvaluationsOptions;
  readonly #running = new Map<number, Promise<void>>();
  readonly #waiting = new Set<number>();
  #isClosed = false;

  constructor(options: EvaluationsOptions) {
    this.#options = options;
  }

  /** Returns at once. A call that is being evaluated already is not evaluated twice. */
  begin(callId: number): void {
    if (this.#isClosed || this.#running.has(callId)) return;
    this.#waiting.add(callId);
    this.#next();
  }

  /** Waits for the running evaluations; the waiting ones are left to another process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    await Promise.all(this.#running.values());
  }

  #next(): void {
    const [callId] = this.#waiting;
    if (callId === undefined || this.#running.size >= MAX_RUNNING) return;
    this.#waiting.delete(callId);
    const { log } = this.#options.core;
    const run = this.#evaluate(callId)
      // Nothing is lost: the worker repeats its request, and the sweep settles the call eventually.
      .catch((error: unknown) => log.warn({ err: error, callId }, 'A call could not be evaluated'))
      .finally(() => {
        this.#running.delete(callId);
        this.#next();
      });
    this.#running.set(callId, run);
    this.#next();
  }

  async #evaluate(callId: number): Promise<void> {
    const { core, openModel } = this.#options;
    const call = await loadCallToEvaluate(core, callId);
    if (!call) return;
    const limit = new AbortController();
    const timer = core.clock.after(TIME_LIMIT_MS, () => limit.abort());
    const startedMs = core.clock.monotonic();
    try {
      const outcome = await askModel(call, openModel, limit.signal);
      core.log.info(
        {
          callId,
          durationMs: Math.round(core.clock.monotonic() - startedMs),
          isEvaluated: 'values' in outcome,
        },
        'A call was evaluated',
      );
      await completeCall(core, callId, outcome);
    } finally {
      timer.cancel();
    }
  }
}
