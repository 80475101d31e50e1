/**
 * The last step of an answered call: `completed`, with its evaluation, and the webhook into the outbox, in one
 * transaction. Called by whoever has evaluated it (voice), by the job `evaluate_call` where nothing can, and by the sweep
 * 60 s after hang-up; whoever comes second changes nothing.
 */
import type { CallStatus } from '@parley/contracts';
import { json, statement, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { applyCallEvent } from './apply-call-event.ts';
import { addCallEvent } from './call-events.ts';
import { nextCallStatus } from './call-state.rules.ts';
import {
  emptyEvaluation,
  isEvaluationWanted,
  type Evaluation,
  type UnevaluatedReason,
} from './evaluation.rules.ts';
import type { StoredCall } from './lock-call.ts';
import { lockForWriter } from './record-call-event.ts';

const storeEvaluation = statement(
  'store_evaluation',
  `update calls set evaluation = $3 where id = $1 and created_at = $2`,
);

/** What became of the evaluation, and why there is none. `detail` goes into the timeline. */
export type EvaluationOutcome =
  | { values: Evaluation; detail: Record<string, unknown> }
  | { unevaluatedBecause: UnevaluatedReason };

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
    if (isEvaluationWanted(call.configuration.assistant)) await store(tx, call, outcome, at);
    const { status } = await applyCallEvent(ctx, tx, locked, { event: 'settled', at });
    return status;
  });
}

async function store(tx: Tx, call: StoredCall, outcome: EvaluationOutcome, at: Date): Promise<void> {
  const isEvaluated = 'values' in outcome;
  const values = isEvaluated ? outcome.values : emptyEvaluation(call.configuration.assistant.postCallSchema);
  await tx.query(storeEvaluation, [call.id, call.createdAt, json(values)]);
  await addCallEvent(
    tx,
    call,
    isEvaluated
      ? { at, type: 'evaluated', detail: outcome.detail }
      : { at, type: 'evaluation_skipped', detail: { reason: outcome.unevaluatedBecause } },
  );
}
