/** Ends a live call: at once if its INVITE was not sent, otherwise by a job that asks its voice process. */
import type { CallStatus, EndReason } from '@parley/contracts';
import { statement, type Transaction } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { applyCallEvent } from './apply-call-event.ts';
import { addCallEvent } from '../calls/call-events.ts';
import { lockCall, type LockedCall, type StoredLiveCall } from '../calls/lock-call.ts';

/** The end reason of a call that its owner ended. */
const REASON = 'hang_up_requested';

const markHangUp = statement(
  'mark_hang_up',
  `update live_calls set hang_up_requested_at = $2, hang_up_reason = $3 where call_id = $1`,
);
const selectTarget = statement<{ url: string; reason: EndReason | null }>(
  'hang_up_target',
  `select p.url, l.hang_up_reason as reason
   from live_calls l join voice_processes p on p.id = l.voice_process_id
   where l.call_id = $1`,
);

/**
 * May be repeated while the call is ending.
 *
 * @returns the status at this moment; the end follows when the leg has ended
 * @throws DomainError `not-found`, also for another user's call; `conflict` when the call has ended
 */
export async function requestHangUp(
  ctx: CoreContext,
  identity: Identity,
  callId: number,
): Promise<{ callId: number; status: CallStatus }> {
  return ctx.db.transaction(async (tx) => {
    const locked = await lockCall(tx, callId);
    if (locked?.call.userId !== identity.userId) throw new DomainError('not-found', 'Call not found');
    const { call, live } = locked;
    if (!live) throw new DomainError('conflict', 'The call has already ended.');
    return { callId, status: await endLiveCall(ctx, tx, { call, live }, REASON) };
  });
}

/**
 * Ends a live call: at once if its INVITE was not sent, otherwise by a job that asks its voice process.
 *
 * @param reason - stored as the end reason
 * @returns the status at this moment
 */
export async function endLiveCall(
  ctx: CoreContext,
  tx: Transaction,
  locked: LockedCall & { live: StoredLiveCall },
  reason: EndReason,
): Promise<CallStatus> {
  const { call, live } = locked;
  const at = now(ctx);
  if (live.inviteSentAt === null) {
    return (await applyCallEvent(ctx, tx, locked, { event: 'failed', at, detail: { reason } })).status;
  }
  if (live.hangUpRequestedAt === null) {
    await tx.query(markHangUp, [call.id, at, reason]);
    await addCallEvent(tx, call, { at, type: 'hang_up_requested' });
  }
  await enqueue(tx, 'hang_up_call', { callId: call.id }, { jobKey: `hang-up:${call.id}` });
  return call.status;
}

/**
 * For the job `hang_up_call`: `POST {url}/internal/calls/{id}/hang-up`.
 *
 * @returns null when there is nothing left to do: the call is over, or its process is gone and the sweep ends it
 */
export async function findHangUpTarget(
  ctx: CoreContext,
  callId: number,
): Promise<{ url: string; reason: EndReason } | null> {
  const [target] = await ctx.db.query(selectTarget, [callId]);
  return target ? { url: target.url, reason: target.reason ?? REASON } : null;
}
