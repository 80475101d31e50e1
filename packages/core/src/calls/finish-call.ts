/** Step 7 of a call's way: hang-up. The end and what was said are stored, the slot is freed, evaluation is asked for. */
import type { AnsweredBy } from '@parley/contracts';
import { json, statement, type StoredToolCall, type StoredTurn } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { finishRecording, type FinishedRecording } from '../recordings/stored-recording.ts';
import type { VoiceFence } from '../voice-processes/lease.ts';
import { applyCallEvent, ignoreEvent, type CallEventResult } from './apply-call-event.ts';
import { nextCallStatus } from './call-state.rules.ts';
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
  /** A word such as `customer_hung_up`, `max_duration`, `line_lost`. */
  endedReason: string;
  fence?: VoiceFence | undefined;
}

const storeConversation = statement(
  'store_conversation',
  `update calls set transcript = $3, turns = $4, variables = $5, answered_by = $6, tool_calls = $7 where id = $1 and created_at = $2`,
);

/**
 * May be repeated: what comes second is ignored.
 *
 * @throws FencedError; DomainError `not-found` when there is no such call
 */
export async function finishCall(ctx: CoreContext, input: FinishCallInput): Promise<CallEventResult> {
  const fact = { event: input.event, at: input.at, detail: { reason: input.endedReason } };
  return ctx.db.transaction(async (tx) => {
    const locked = await lockForWriter(tx, input);
    const { call } = locked;
    if (nextCallStatus(call.status, fact.event) === null) return ignoreEvent(ctx, call, fact);
    await tx.query(storeConversation, [
      call.id,
      call.createdAt,
      input.transcript,
      json(input.turns),
      json(input.variables),
      input.answeredBy,
      json(input.toolCalls),
    ]);
    await finishRecording(tx, call.id, input.recording);
    const result = await applyCallEvent(ctx, tx, locked, fact);
    await enqueue(tx, 'evaluate_call', { callId: call.id }, { jobKey: `evaluate:${call.id}` });
    return result;
  });
}
