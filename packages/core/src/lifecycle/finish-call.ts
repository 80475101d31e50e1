/**
 * Step 7 of a call (docs/architecture.md), the hang-up. The end and the transcript are stored, the slot is released, and the
 * evaluation is enqueued. A call that cannot be evaluated is settled in the same transaction.
 */
import type { AnsweredBy, EndReason } from '@parley/contracts';
import { sendTogether, statement, type StoredToolCall, type StoredTurn } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import type { UsedQuantity } from '../prices/call-costs.rules.ts';
import { redactWords } from '../calls/redact-call.ts';
import { finishRecording, type FinishedRecording } from '../calls/stored-recording.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { applyCallEvent, ignoreEvent, type CallEventResult, type FactExtras } from './apply-call-event.ts';
import { nextCallStatus } from '../calls/call-state.rules.ts';
import { evaluationExtras } from './complete-call.ts';
import { unevaluatedBecause, type UnevaluatedReason } from './evaluation.rules.ts';
import type { StoredCall } from '../calls/lock-call.ts';
import { lockForWriter } from './record-call-event.ts';

/** What a voice process reports at the end of a conversation. */
export interface FinishCallInput {
  callId: number;
  event: 'customer-hung-up' | 'assistant-hung-up' | 'ended';
  at: Date;
  /** One turn a line, `AI: …` and `Customer: …`. */
  transcript: string;
  turns: StoredTurn[];
  /** What the assistant did besides talking. */
  toolCalls: StoredToolCall[];
  /** Collected during the call. */
  variables: Record<string, unknown>;
  /** Null when nothing was recorded. */
  recording: FinishedRecording | null;
  /** `human` when the customer spoke or pressed keys. */
  answeredBy: AnsweredBy;
  /** A value such as `customer_hung_up`, `max_duration`, `line_lost`. */
  endedReason: EndReason;
  /** What the conversation used; absent if unknown. */
  used?: readonly UsedQuantity[];
  fence?: VoiceFence | undefined;
}

const selectKind = statement<{ kind: string }>('model_kind', `select kind from providers where id = $1`);

/**
 * May be repeated: what comes second is ignored.
 *
 * @throws FencedError; DomainError `not-found` when there is no such call
 */
export async function finishCall(ctx: CoreContext, input: FinishCallInput): Promise<CallEventResult> {
  const { event, at, endedReason, used } = input;
  const fact = { event, at, detail: { reason: endedReason }, used };
  return ctx.db.transaction(async (tx) => {
    const locked = await lockForWriter(tx, input);
    const { call } = locked;
    if (nextCallStatus(call.status, event) === null) return ignoreEvent(ctx, call, fact);
    const [[model], recording] = await sendTogether(tx, [
      (tx) => tx.query(selectKind, [call.configuration.model.providerId]),
      (tx) => finishRecording(tx, call, input.recording),
    ]);
    const because = unevaluatedBecause({
      configuration: call.configuration,
      modelKind: model?.kind ?? null,
      turns: input.turns,
    });
    const words = redactWords(input, call.configuration.assistant.redact ?? []);
    const extras = finishExtras(ctx, call, words, because);
    const result = await applyCallEvent(ctx, tx, locked, { ...fact, extras: { ...extras, recording } });
    if (because === null)
      await enqueue(tx, 'evaluate_call', { callId: call.id }, { jobKey: `evaluate:${call.id}` });
    return result;
  });
}

/** @param because - why the call is not evaluated and is settled at once; null: it will be evaluated */
function finishExtras(
  ctx: CoreContext,
  call: StoredCall,
  { transcript, turns, variables, answeredBy, toolCalls }: FinishCallInput,
  because: UnevaluatedReason | null,
): FactExtras {
  const columns = { transcript, turns, variables, answeredBy, toolCalls };
  if (because === null) return { columns };
  const at = now(ctx);
  const evaluation = evaluationExtras({ ...call, variables }, { unevaluatedBecause: because }, at);
  return { ...evaluation, columns: { ...columns, ...evaluation.columns }, next: { event: 'settled', at } };
}
