/**
 * The conversation of a live call so far. The voice process stores it after each turn, so that another process can go on with
 * the call, or at least keep on record what was said. The row disappears with the live call.
 */
import type { AnsweredBy } from '@parley/contracts';
import { json, statement, type StoredToolCall, type StoredTurn, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { UsedQuantity } from '../prices/call-costs.rules.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { DomainError } from '../shared/domain-error.ts';

/** What is on record if the call ends now, and what its conversation needs to go on. */
export interface CallProgress {
  transcript: string;
  turns: StoredTurn[];
  toolCalls: StoredToolCall[];
  variables: Record<string, unknown>;
  answeredBy: AnsweredBy;
  used: readonly UsedQuantity[];
  /** For the voice process alone; null: no other process can go on with the call as it is now. */
  conversation: unknown;
}

/** A call that another process goes on with. */
export interface InterruptedCall {
  progress: CallProgress;
  /** `StoredDialog` of telephony. */
  dialog: unknown;
  answeredAt: Date;
}

const writeProgress = statement(
  'write_call_progress',
  `insert into call_progress (call_id, progress, updated_at)
   select call_id, $3, now() from live_calls where call_id = $1 and voice_process_id = $2
   on conflict (call_id) do update set progress = excluded.progress, updated_at = excluded.updated_at`,
);
const selectProgress = statement<{ progress: CallProgress }>(
  'read_call_progress',
  `select progress from call_progress where call_id = $1`,
);
const selectInterrupted = statement<Omit<InterruptedCall, 'answeredAt'> & { answeredAt: Date | null }>(
  'read_interrupted_call',
  `select g.progress, l.dialog, l.answered_at from live_calls l join call_progress g on g.call_id = l.call_id
   where l.call_id = $1`,
);

/** Does nothing once the call has ended or belongs to another process. */
export async function storeCallProgress(
  ctx: CoreContext,
  { callId, fence, progress }: { callId: number; fence: VoiceFence; progress: CallProgress },
): Promise<void> {
  await ctx.db.query(writeProgress, [callId, fence.processId, json(progress)]);
}

/** Null: nothing was stored. */
export async function readCallProgress(tx: Tx, callId: number): Promise<CallProgress | null> {
  const [row] = await tx.query(selectProgress, [callId]);
  return row?.progress ?? null;
}

/** @throws DomainError `not-found` when the call is not live any more, or was not answered */
export async function loadInterruptedCall(ctx: CoreContext, callId: number): Promise<InterruptedCall> {
  const [row] = await ctx.db.query(selectInterrupted, [callId]);
  if (!row?.answeredAt) throw new DomainError('not-found', 'The call has ended.');
  return { ...row, answeredAt: row.answeredAt };
}
