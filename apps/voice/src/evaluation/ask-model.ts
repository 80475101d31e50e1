/** Asks the model of an assistant to fill in the form of a call. */
import {
  readEvaluation,
  type CallToEvaluate,
  type EvaluationOutcome,
  type ProviderAccess,
  type UnevaluatedReason,
} from '@parley/core';
import type { LanguageModel, LanguageModelEvent } from '@parley/speech';
import { CallUsage } from '../usage/call-usage.ts';
import { evaluationRequest, findAnswer } from './evaluation-form.rules.ts';

/** A longer answer is cut off, characters. */
const MAX_ANSWER = 100_000;
/** The first attempt and one repair; values that still do not fit the form are left out. */
const TRIES = 2;

/** The outcome of a model that was asked. */
export type AskedEvaluation = EvaluationOutcome &
  ({ detail: { model: string; missing_fields: number } } | { unevaluatedBecause: UnevaluatedReason });

/** Never rejects. @param signal - ends the evaluation as one that came too late */
export async function askModel(
  call: CallToEvaluate,
  openModel: (model: ProviderAccess) => LanguageModel,
  signal: AbortSignal,
): Promise<AskedEvaluation> {
  const usage = new CallUsage();
  const because = (unevaluatedBecause: UnevaluatedReason) => ({ unevaluatedBecause, used: usage.used() });
  const readAnswer = (answer: unknown) => readEvaluation(call.fields, answer, call.dispositions);
  let read = readAnswer(null);
  let hasAnswer = false;
  try {
    const { name, providerId, id: llmModelId } = call.model;
    const model = usage.model(openModel(call.model), { name, providerId, llmModelId }, 'evaluation');
    for (let attempt = 1; attempt <= TRIES && read.faults.length > 0 && !signal.aborted; attempt += 1) {
      const request = evaluationRequest(call, attempt === 1 ? [] : read.faults);
      const events = await collect(model.stream(request, signal), signal);
      const answer = findAnswer(events);
      hasAnswer ||= answer !== null;
      read = readAnswer(answer);
    }
  } catch {
    return because(signal.aborted ? 'timed_out' : 'model_failed');
  }
  if (signal.aborted) return because('timed_out');
  if (!hasAnswer) return because('invalid_answer');
  return {
    values: read.values,
    disposition: read.disposition,
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
