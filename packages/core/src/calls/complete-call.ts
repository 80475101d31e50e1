/**
 * The last step of an answered call: `completed`, with its evaluation, and the webhook into the outbox, in one
 * transaction. Run by the job `evaluate_call` or by the sweep 60 s after hang-up; whoever comes second changes nothing.
 */
import type { CallStatus } from '@parley/contracts';
import { json, statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { applyCallEvent } from './apply-call-event.ts';
import { addCallEvent } from './call-events.ts';
import { nextCallStatus } from './call-state.rules.ts';
import { emptyEvaluation } from './evaluation.rules.ts';
import { lockForWriter } from './record-call-event.ts';

const storeEvaluation = statement(
  'store_evaluation',
  `update calls set evaluation = $3 where id = $1 and created_at = $2`,
);

/**
 * @param options - `unevaluatedBecause`: why there is no evaluation, for the timeline: `no_llm` (nothing evaluates yet),
 *   or `timed_out` from the sweep
 * @returns the status the call has now: `completed` for every call that was answered and has ended
 * @throws DomainError `not-found` when there is no such call
 */
export async function completeCall(
  ctx: CoreContext,
  callId: number,
  options: { unevaluatedBecause: 'no_llm' | 'timed_out' } = { unevaluatedBecause: 'no_llm' },
): Promise<CallStatus> {
  return ctx.db.transaction(async (tx) => {
    const locked = await lockForWriter(tx, { callId });
    const { call } = locked;
    if (nextCallStatus(call.status, 'settled') === null) return call.status;
    const at = now(ctx);
    const { isPostCallEvaluated, postCallSchema } = call.configuration.assistant;
    if (isPostCallEvaluated) {
      await tx.query(storeEvaluation, [call.id, call.createdAt, json(emptyEvaluation(postCallSchema))]);
      const detail = { reason: options.unevaluatedBecause };
      await addCallEvent(tx, call, { at, type: 'evaluation_skipped', detail });
    }
    const { status } = await applyCallEvent(ctx, tx, locked, { event: 'settled', at });
    return status;
  });
}
