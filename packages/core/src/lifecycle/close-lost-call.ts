/** Ends one call whose voice process was lost. */
import type { EndReason } from '@parley/contracts';
import { statement, type LiveCallRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { findDisarmed } from '../capacity/disarmed.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { enqueueDial } from '../jobs/enqueue-dial.ts';
import { keepLostRecording } from '../calls/stored-recording.ts';
import { applyCallEvent } from './apply-call-event.ts';
import { callPhase } from '../calls/call-state.rules.ts';
import { lockCall } from '../calls/lock-call.ts';

const REASON: EndReason = 'process_lost';

const isProcessThere = statement<{ id: string }>(
  'is_process_there',
  `select id from voice_processes where id = $1`,
);

/** The dialogs of the call and of its bridged leg. */
const selectDialogs = statement<{ legId: number; dialog: unknown }>(
  'dialogs_of_call',
  `select call_id as leg_id, dialog from live_calls
   where (call_id = $1 or bridged_call_id = $1) and dialog is not null order by call_id`,
);

/**
 * Ends a call of a lost process, and enqueues a BYE for each of its dialogs. Does nothing if the process exists.
 */
export async function closeLostCall(ctx: CoreContext, callId: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const locked = await lockCall(tx, callId);
    if (!locked?.live || (await hasProcess(tx, locked.live))) return;
    const fact = { at: await endOf(ctx, tx, locked.live), detail: { reason: REASON } };
    const isAnswered = callPhase(locked.call.status) !== 'before-answer';
    // No INVITE was sent: another process may make the attempt.
    if (!isAnswered && locked.live.inviteSentAt === null) return enqueueDial(tx, callId);
    await endDialogs(tx, callId);
    const recording = isAnswered ? await keepLostRecording(ctx, tx, locked.call) : null;
    const event = isAnswered ? 'ended' : 'failed';
    await applyCallEvent(ctx, tx, locked, { ...fact, event, extras: { recording } });
    if (!isAnswered) return;
    await enqueue(tx, 'evaluate_call', { callId }, { jobKey: `evaluate:${callId}` });
  });
}

/**
 * RFC 3261 section 15: "The caller's UA MAY send a BYE for either confirmed or early dialogs". The phone of a lost call may
 * ring, or may have been answered after its process was lost.
 */
async function endDialogs(tx: Tx, callId: number): Promise<void> {
  for (const { legId, dialog } of await tx.query(selectDialogs, [callId]))
    await enqueue(tx, 'end_dialog', { callId, dialog }, { jobKey: `end_dialog:${legId}` });
}

/** In a restored copy, nothing is known about a call of the original after the backup. */
async function endOf(ctx: CoreContext, tx: Tx, live: LiveCallRow): Promise<Date> {
  const copy = await findDisarmed(tx);
  return copy && live.createdAt <= copy.takenAt ? copy.takenAt : now(ctx);
}

async function hasProcess(tx: Tx, live: LiveCallRow): Promise<boolean> {
  const found = await tx.query(isProcessThere, [live.voiceProcessId]);
  return found.length > 0;
}
