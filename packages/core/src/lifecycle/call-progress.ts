/**
 * The conversation of a live call so far. The voice process stores it after each turn, so that another process can go on with
 * the call, or at least keep on record what was said. The row disappears with the live call. It is sealed: these are the
 * words before redaction, and a backup may contain the row.
 */
import type { AnsweredBy } from '@parley/contracts';
import { json, statement, type StoredToolCall, type StoredTurn, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { UsedQuantity } from '../prices/call-costs.rules.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { DomainError } from '../shared/domain-error.ts';
import { UnknownKeyError } from '../shared/secret-box.ts';

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

/** In the database. */
interface StoredProgress {
  /** A {@link CallProgress} as JSON. */
  sealed?: string;
  canGoOn: boolean;
}

const writeProgress = statement(
  'write_call_progress',
  `insert into call_progress (call_id, progress, updated_at)
   select call_id, $3, now() from live_calls where call_id = $1 and voice_process_id = $2
   on conflict (call_id) do update set progress = excluded.progress, updated_at = excluded.updated_at`,
);
const selectProgress = statement<{ progress: StoredProgress }>(
  'read_call_progress',
  `select progress from call_progress where call_id = $1`,
);
const selectInterrupted = statement<{ progress: StoredProgress; dialog: unknown; answeredAt: Date | null }>(
  'read_interrupted_call',
  `select g.progress, l.dialog, l.answered_at from live_calls l join call_progress g on g.call_id = l.call_id
   where l.call_id = $1`,
);

/** Does nothing once the call has ended or belongs to another process. */
export async function storeCallProgress(
  ctx: CoreContext,
  { callId, fence, progress }: { callId: number; fence: VoiceFence; progress: CallProgress },
): Promise<void> {
  const stored: StoredProgress = {
    sealed: ctx.secretBox.seal(JSON.stringify(progress)),
    canGoOn: progress.conversation !== null,
  };
  await ctx.db.query(writeProgress, [callId, fence.processId, json(stored)]);
}

/** Null: nothing was stored, or it is sealed with a key that is not known any more. */
export async function readCallProgress(
  ctx: CoreContext,
  tx: Tx,
  callId: number,
): Promise<CallProgress | null> {
  const [row] = await tx.query(selectProgress, [callId]);
  return row ? opened(ctx, row.progress) : null;
}

/** @throws DomainError `not-found` when the call is not live any more, was not answered, or has no readable conversation */
export async function loadInterruptedCall(ctx: CoreContext, callId: number): Promise<InterruptedCall> {
  const [row] = await ctx.db.query(selectInterrupted, [callId]);
  const progress = row ? opened(ctx, row.progress) : null;
  if (!row?.answeredAt || !progress) throw new DomainError('not-found', 'The call has ended.');
  return { progress, dialog: row.dialog, answeredAt: row.answeredAt };
}

function opened({ secretBox }: CoreContext, { sealed }: StoredProgress): CallProgress | null {
  if (sealed === undefined) return null;
  try {
    return JSON.parse(secretBox.open(sealed)) as CallProgress;
  } catch (error) {
    if (error instanceof UnknownKeyError) return null;
    throw error;
  }
}
