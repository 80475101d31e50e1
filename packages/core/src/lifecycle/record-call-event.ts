/** Step 6 of a call's way: what happened on the line reaches the record. May be repeated; order is kept by the caller. */
import { json, statement, type Tx } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { applyCallEvent, type CallEventResult, type CallFact } from './apply-call-event.ts';
import { addCallEvent } from '../calls/call-events.ts';
import { checkFence, lockCall, type LockedCall } from '../calls/lock-call.ts';

/** An event of one call, and the process that reports it. */
export interface CallEventInput extends CallFact {
  callId: number;
  /** Voice processes send theirs, so that one that lost the call cannot write about it. */
  fence?: VoiceFence | undefined;
}

/** An entry of the timeline, and the process that reports it. */
export interface CallNoteInput {
  callId: number;
  /** A word of ours, for example `tool_used`. */
  type: string;
  at: Date;
  detail?: Record<string, unknown> | undefined;
  /** The dialog as it is now, when it has changed. */
  dialog?: unknown;
  fence?: VoiceFence | undefined;
}

const updateDialog = statement('update_dialog', `update live_calls set dialog = $2 where call_id = $1`);

/** @throws FencedError; DomainError `not-found` when there is no such call */
export async function recordCallEvent(ctx: CoreContext, input: CallEventInput): Promise<CallEventResult> {
  return ctx.db.transaction(async (tx) => {
    const locked = await lockForWriter(tx, input);
    return applyCallEvent(ctx, tx, locked, input);
  });
}

/**
 * Adds a line to the timeline that is no step of the state: a tool's use, a changed dialog.
 *
 * @throws FencedError; DomainError `not-found` when there is no such call
 */
export async function recordCallNote(ctx: CoreContext, input: CallNoteInput): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { call } = await lockForWriter(tx, input);
    await addCallEvent(tx, call, input);
    if (input.dialog != null) await tx.query(updateDialog, [call.id, json(input.dialog)]);
  });
}

/** The dialog as it is now, without a line in the timeline. @throws FencedError; DomainError `not-found` */
export async function recordDialog(
  ctx: CoreContext,
  input: Pick<CallNoteInput, 'callId' | 'fence'> & { dialog: unknown },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { call } = await lockForWriter(tx, input);
    await tx.query(updateDialog, [call.id, json(input.dialog)]);
  });
}

const findLive = statement<{ callId: number }>(
  'live_call_of_dialog',
  `select call_id from live_calls where sip_call_id = $1 and sip_invite = ''`,
);

/** Notes in the timeline that the far end answered a call whose process was lost. Does nothing after the end of the call. */
export async function noteLateAnswer(ctx: CoreContext, sipCallId: string): Promise<void> {
  const [live] = await ctx.db.query(findLive, [sipCallId]);
  if (!live) return;
  await recordCallNote(ctx, { callId: live.callId, type: 'answered_late', at: new Date(ctx.clock.now()) });
}

/** @throws FencedError; DomainError `not-found` */
export async function lockForWriter(
  tx: Tx,
  input: { callId: number; fence?: VoiceFence | undefined },
): Promise<LockedCall> {
  const locked = await lockCall(tx, input.callId);
  if (!locked) throw new DomainError('not-found', 'Call not found');
  checkFence(locked, input.fence);
  return locked;
}
