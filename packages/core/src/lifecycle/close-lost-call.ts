/** Ends one call whose voice process was lost. */
import type { EndReason } from '@parley/contracts';
import { statement, type LiveCallRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { findDisarmed } from '../capacity/disarmed.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { endCarrierCallOfTrunk } from '../jobs/end-carrier-call-soon.ts';
import { enqueueDial } from '../jobs/enqueue-dial.ts';
import { keepLostRecording } from '../calls/stored-recording.ts';
import type { UsedQuantity } from '../prices/call-costs.rules.ts';
import { redactWords } from '../calls/redact-call.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { applyCallEvent, type FactExtras } from './apply-call-event.ts';
import { readCallProgress } from './call-progress.ts';
import { callPhase } from '../calls/call-state.rules.ts';
import { lockCall, type StoredCall } from '../calls/lock-call.ts';

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
 *
 * @param holder - the process that holds the call and could not go on with it
 */
export async function closeLostCall(ctx: CoreContext, callId: number, holder?: VoiceFence): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const locked = await lockCall(tx, callId);
    if (!locked?.live) return;
    const isHeld = holder !== undefined && locked.live.voiceProcessId === holder.processId;
    if (!isHeld && (await hasProcess(tx, locked.live))) return;
    const fact = { at: await endOf(ctx, tx, locked.live), detail: { reason: REASON } };
    const isAnswered = callPhase(locked.call.status) !== 'before-answer';
    // No INVITE was sent: another process may make the attempt.
    if (!isAnswered && locked.live.inviteSentAt === null) return enqueueDial(tx, callId);
    await endDialogs(tx, callId);
    await endCarrierCallOfTrunk(tx, locked.live);
    const recording = isAnswered ? await keepLostRecording(ctx, tx, locked.call) : null;
    const event = isAnswered ? 'ended' : 'failed';
    const said = isAnswered ? await saidSoFar(ctx, tx, locked.call) : {};
    const { used, columns = {} } = said;
    await applyCallEvent(ctx, tx, locked, { ...fact, event, used, extras: { recording, columns } });
    if (!isAnswered) return;
    await enqueue(tx, 'evaluate_call', { callId }, { jobKey: `evaluate:${callId}` });
  });
}

/** What the lost process has stored of the conversation. */
async function saidSoFar(
  ctx: CoreContext,
  tx: Tx,
  { id, configuration }: StoredCall,
): Promise<{ used?: readonly UsedQuantity[]; columns?: FactExtras['columns'] }> {
  const progress = await readCallProgress(ctx, tx, id);
  if (!progress) return {};
  const { used, answeredBy, ...words } = progress;
  const { transcript, turns, toolCalls, variables } = redactWords(
    words,
    configuration.assistant.redact ?? [],
  );
  return { used, columns: { transcript, turns, toolCalls, variables, answeredBy } };
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
