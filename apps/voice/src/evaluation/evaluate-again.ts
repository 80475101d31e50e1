/** Evaluates an old call by the present settings of its assistant, and answers in the form of the internal contract. */
import { DomainError, loadCallToReevaluate, redactValues } from '@parley/core';
import type { EvaluationsOptions } from './evaluations.ts';
import { askModel } from './ask-model.ts';

/** Nothing is stored. @param signal - aborted when the client has disconnected */
export async function evaluateAgain(
  { core, openModel }: EvaluationsOptions,
  about: { user_id: number; call_id: number },
  signal: AbortSignal,
) {
  try {
    const call = await loadCallToReevaluate(core, { userId: about.user_id, callId: about.call_id });
    const facts = { call_id: call.callId, stored_evaluation: call.stored };
    if (call.unevaluatedBecause !== null) {
      const collected = { evaluation: { ...call.collected }, missing_fields: 0 };
      return {
        status: 200 as const,
        body: { ...facts, ...collected, unevaluated_because: call.unevaluatedBecause },
      };
    }
    const outcome = await askModel(call, openModel, signal);
    if ('unevaluatedBecause' in outcome)
      return { status: 502 as const, body: { message: 'The language model did not fill in the form.' } };
    const evaluation = redactValues(outcome.values, call.assistant.redact ?? []);
    return {
      status: 200 as const,
      body: {
        ...facts,
        evaluation,
        missing_fields: outcome.detail.missing_fields,
        unevaluated_because: null,
      },
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.kind === 'not-found') return { status: 404 as const, body: { message: error.message } };
    if (error.kind === 'conflict') return { status: 409 as const, body: { message: error.message } };
    throw error;
  }
}
