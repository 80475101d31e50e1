/** The truthful end of one call whose voice process is gone. */
import { statement, type LiveCallRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { enqueueDial } from '../jobs/enqueue-dial.ts';
import { keepLostRecording } from '../recordings/stored-recording.ts';
import { pickVoiceProcess } from '../voice-processes/lease.ts';
import { applyCallEvent } from './apply-call-event.ts';
import { callPhase } from './call-state.rules.ts';
import { lockCall } from './lock-call.ts';

/** An answered call whose process died: its far end still waits for a BYE. */
export interface LostCall {
  callId: number;
  /** `StoredDialog` of telephony, as it was last stored. */
  dialog: unknown;
  /** Where to ask for the BYE (`POST {url}/internal/dialogs/bye`); null when no voice process is left. */
  endVia: { id: string; url: string } | null;
}

const REASON = 'process_lost';

const isProcessThere = statement<{ id: string }>(
  'is_process_there',
  `select id from voice_processes where id = $1 and epoch = $2`,
);

/** @returns the dialog to end, or null when there is none: never answered, a browser's, or not lost after all */
export async function closeLostCall(ctx: CoreContext, callId: number): Promise<LostCall | null> {
  return ctx.db.transaction(async (tx) => {
    const locked = await lockCall(tx, callId);
    if (!locked?.live || (await hasProcess(tx, locked.live))) return null;
    const fact = { at: now(ctx), detail: { reason: REASON } };
    if (callPhase(locked.call.status) === 'before-answer') {
      // Nothing has left: another process may still make the attempt.
      if (locked.live.inviteSentAt === null) await enqueueDial(tx, callId);
      else await applyCallEvent(ctx, tx, locked, { ...fact, event: 'failed' });
      return null;
    }
    await applyCallEvent(ctx, tx, locked, { ...fact, event: 'ended' });
    await keepLostRecording(ctx, tx, locked.call);
    await enqueue(tx, 'evaluate_call', { callId }, { jobKey: `evaluate:${callId}` });
    return locked.live.dialog === null ? null : endDialog(tx, callId, locked.live.dialog);
  });
}

async function hasProcess(tx: Tx, live: LiveCallRow): Promise<boolean> {
  const found = await tx.query(isProcessThere, [live.voiceProcessId, live.voiceEpoch]);
  return found.length > 0;
}

async function endDialog(tx: Tx, callId: number, dialog: unknown): Promise<LostCall> {
  const process = await pickVoiceProcess(tx);
  return { callId, dialog, endVia: process && { id: process.id, url: process.url } };
}
