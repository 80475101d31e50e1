/** Removes a finished call for good: its record, timeline, SIP trace, webhook deliveries, replays, and its recording. */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { removeDisposition } from '../calls/call-disposition.ts';
import { callPhase } from '../calls/call-state.rules.ts';
import { lockCall } from '../calls/lock-call.ts';

const deleteCall = statement('delete_call', `delete from calls where id = $1 and created_at = $2`);
const deleteEvents = statement(
  'delete_call_events',
  `delete from call_events where call_id = $1 and call_created_at = $2`,
);
const deleteTrace = statement('delete_call_sip_trace', `delete from sip_traces where call_id = $1`);
const deleteDeliveries = statement('delete_call_deliveries', `delete from deliveries where call_id = $1`);
const deleteRecordingRow = statement<{ storageKey: string }>(
  'delete_call_recording',
  `delete from recordings where call_id = $1 returning storage_key`,
);

const deleteReplays = statement('delete_call_replays', `delete from suite_runs where replayed_call_id = $1`);

/**
 * The recording's address stops working at once; its file is removed by a job, so that a crash leaves no file behind.
 *
 * @throws DomainError `not-found`, also for another user's call; `conflict` until the call is over and settled
 */
export async function removeCall(ctx: CoreContext, identity: Identity, callId: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const locked = await lockCall(tx, callId);
    if (locked?.call.userId !== identity.userId) throw new DomainError('not-found', 'Call not found');
    const { call, live } = locked;
    if (live) throw new DomainError('conflict', 'The call is live. Hang it up before you delete it.');
    if (callPhase(call.status) !== 'final') {
      throw new DomainError('conflict', 'The call has just ended and is still being settled.');
    }
    await tx.query(deleteEvents, [callId, call.createdAt]);
    await tx.query(deleteDeliveries, [callId]);
    await tx.query(deleteTrace, [callId]);
    await tx.query(deleteReplays, [callId]);
    await removeDisposition(tx, callId);
    const [recording] = await tx.query(deleteRecordingRow, [callId]);
    if (recording) await enqueue(tx, 'remove_recording', { key: recording.storageKey });
    await tx.query(deleteCall, [callId, call.createdAt]);
  });
}
