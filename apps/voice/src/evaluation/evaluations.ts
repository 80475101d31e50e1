/**
 * Evaluates ended calls with the model of their assistant, and settles them. The worker, which has no access to models,
 * requests each evaluation, and repeats the request until the call is settled (core, lifecycle/plan-evaluation.ts).
 */
import {
  completeCall,
  loadCallToEvaluate,
  readEvaluation,
  type CallToEvaluate,
  type CoreContext,
  type EvaluationOutcome,
  type ProviderAccess,
  type UnevaluatedReason,
} from '@parley/core';
import type { LanguageModel, LanguageModelEvent } from '@parley/speech';
import { CallUsage } from '../usage/call-usage.ts';
import { evaluationRequest, findAnswer } from './evaluation-form.rules.ts';

/** Options of the evaluations. */
export interface EvaluationsOptions {
  core: CoreContext;
  /** @throws SpeechError when the provider does not offer the model */
  openModel: (model: ProviderAccess) => LanguageModel;
}

/** Limit for both attempts together, milliseconds; the sweep settles a call 60 s after its hang-up. */
const TIME_LIMIT_MS = 45_000;
/** A longer answer is cut off, characters. */
const MAX_ANSWER = 100_000;
/** The first attempt and one repair; values that still do not fit the form are left out. */
const TRIES = 2;
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

async function askModel(
  call: CallToEvaluate,
  openModel: EvaluationsOptions['openModel'],
  signal: AbortSignal,
): Promise<EvaluationOutcome> {
  const schema = call.assistant.postCallSchema;
  const usage = new CallUsage();
  const because = (unevaluatedBecause: UnevaluatedReason) => ({ unevaluatedBecause, used: usage.used() });
  let read = readEvaluation(schema, null);
  let hasAnswer = false;
  try {
    const { name, providerId, id: llmModelId } = call.model;
    const model = usage.model(openModel(call.model), { name, providerId, llmModelId }, 'evaluation');
    for (let attempt = 1; attempt <= TRIES && read.faults.length > 0 && !signal.aborted; attempt += 1) {
      const request = evaluationRequest(call, attempt === 1 ? [] : read.faults);
      const events = await collect(model.stream(request, signal), signal);
      const answer = findAnswer(events);
      hasAnswer ||= answer !== null;
      read = readEvaluation(schema, answer);
    }
  } catch {
    return because(signal.aborted ? 'timed_out' : 'model_failed');
  }
  if (signal.aborted) return because('timed_out');
  if (!hasAnswer) return because('invalid_answer');
  return {
    values: read.values,
    detail: { model: call.model.name, missing_fields: read.faults.length },
    used: usage.used(),
  };
}

/** Collects the model's output, up to a limit. */
async function collect(
  events: AsyncIterable<LanguageModelEvent>,
  signal: AbortSignal,
): Promise<LanguageModelEvent[]> {
  const collected: LanguageModelEvent[] = [];
  let characters = 0;
  for await (const event of events) {
    if (event.type === 'text') characters += event.text.length;
    if (signal.aborted || characters > MAX_ANSWER) break;
    collected.push(event);
  }
  return collected;
}
