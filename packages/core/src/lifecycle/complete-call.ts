/**
 * The last step of an answered call that can be evaluated: `completed`, with its evaluation, and the webhook into the
 * outbox, in one transaction. Voice runs it after the evaluation, the job `evaluate_call` where no evaluation is possible
 * after all, and a sweep 60 s after the hang-up; a second run changes nothing.
 */
import type { CallStatus } from '@parley/contracts';
import { now, type CoreContext } from '../context.ts';
import type { UsedQuantity } from '../prices/call-costs.rules.ts';
import { redactValues } from '../calls/redact-call.ts';
import { chargeEvaluation } from '../calls/charge-call.ts';
import { applyCallEvent, type FactExtras } from './apply-call-event.ts';
import { nextCallStatus } from '../calls/call-state.rules.ts';
import { collectedDisposition } from './disposition.rules.ts';
import {
  collectedEvaluation,
  evaluatedFields,
  isEvaluationWanted,
  type Evaluation,
  type UnevaluatedReason,
} from './evaluation.rules.ts';
import type { StoredCall } from '../calls/lock-call.ts';
import { lockForWriter } from './record-call-event.ts';

/** What became of the evaluation, why there is none, and what was used for it. `detail` goes into the timeline. */
export type EvaluationOutcome = (
  | { values: Evaluation; disposition?: string | null; detail: Record<string, unknown> }
  | { unevaluatedBecause: UnevaluatedReason }
) & { used?: readonly UsedQuantity[] };

/**
 * @returns the status the call has now: `completed` for every call that was answered and has ended
 * @throws DomainError `not-found` when there is no such call
 */
export async function completeCall(
  ctx: CoreContext,
  callId: number,
  outcome: EvaluationOutcome = { unevaluatedBecause: 'no_llm' },
): Promise<CallStatus> {
  return ctx.db.transaction(async (tx) => {
    const locked = await lockForWriter(tx, { callId });
    const { call } = locked;
    if (nextCallStatus(call.status, 'settled') === null) return call.status;
    const at = now(ctx);
    const { used } = outcome;
    if (used && isEvaluationWanted(call.configuration)) await chargeEvaluation(tx, call, used);
    const fact = { event: 'settled', at, extras: evaluationExtras(call, outcome, at) } as const;
    const { status } = await applyCallEvent(ctx, tx, locked, fact);
    return status;
  });
}

/** What the settling of a call writes of its evaluation: nothing where none is wanted. */
export function evaluationExtras(
  { configuration, variables }: Pick<StoredCall, 'configuration' | 'variables'>,
  outcome: EvaluationOutcome,
  at: Date,
): Pick<FactExtras, 'columns' | 'entries' | 'disposition'> {
  if (!isEvaluationWanted(configuration)) return {};
  const { dispositions = [] } = configuration;
  if ('values' in outcome) {
    const { values, detail } = outcome;
    const evaluation = redactValues(values, configuration.assistant.redact ?? []);
    const entries = [{ at, type: 'evaluated', detail }];
    return { columns: { evaluation }, entries, disposition: outcome.disposition };
  }
  const detail = { reason: outcome.unevaluatedBecause };
  return {
    columns: { evaluation: collectedEvaluation(evaluatedFields(configuration), variables) },
    entries: [{ at, type: 'evaluation_skipped', detail }],
    disposition: collectedDisposition(dispositions, variables),
  };
}
