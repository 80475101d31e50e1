/** What becomes of the second leg of a bridge: facts about its live row, under the lock of the call it belongs to. */
import { json, statement } from '@parley/db';
import { chargeSecondLeg } from '../calls/charge-call.ts';
import { wakeNextHeld } from '../capacity/campaign-hold.ts';
import type { CoreContext } from '../context.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { limitsOf } from './apply-call-event.ts';
import { addCallEvent } from '../calls/call-events.ts';
import { lockForWriter } from './record-call-event.ts';

/** The second leg, and the process that reports about it. */
interface BridgeFact {
  callId: number;
  bridgeId: number;
  at: Date;
  fence: VoiceFence;
}

/** It was answered, or its dialog has changed since. */
export interface BridgeDialogInput extends BridgeFact {
  /** `StoredDialog` of telephony: what another process needs to send BYE. */
  dialog: unknown;
}

/** It has ended, and the caller was not connected to it. */
export interface BridgeEndInput extends BridgeFact {
  reason: string;
}

const storeDialog = statement<{ wasAnswered: boolean }>(
  'store_bridge_dialog',
  `with before as (select answered_at from live_calls where call_id = $1)
   update live_calls set answered_at = coalesce(live_calls.answered_at, $3), dialog = $4
   from before where call_id = $1 and bridged_call_id = $2
   returning before.answered_at is not null as was_answered`,
);
const deleteLeg = statement<{ answeredAt: Date | null }>(
  'delete_bridge',
  `delete from live_calls where call_id = $1 and bridged_call_id = $2 returning answered_at`,
);

/**
 * Harmless when repeated, and when the call is over.
 *
 * @throws FencedError; DomainError `not-found` when there is no such call
 */
export async function recordBridgeDialog(ctx: CoreContext, input: BridgeDialogInput): Promise<void> {
  const { callId, bridgeId, at, dialog } = input;
  await ctx.db.transaction(async (tx) => {
    const { call } = await lockForWriter(tx, input);
    const [leg] = await tx.query(storeDialog, [bridgeId, callId, at, json(dialog)]);
    if (leg && !leg.wasAnswered) await addCallEvent(tx, call, { at, type: 'call_bridge_answered' });
  });
}

/**
 * The call goes on, and the leg's slot is free. A leg that was answered is charged; one that is connected to the caller
 * ends with its call instead. Harmless when repeated.
 *
 * @throws FencedError; DomainError `not-found` when there is no such call
 */
export async function recordBridgeEnd(ctx: CoreContext, input: BridgeEndInput): Promise<void> {
  const { callId, bridgeId, at, reason } = input;
  await ctx.db.transaction(async (tx) => {
    const { call, live } = await lockForWriter(tx, input);
    const [leg] = await tx.query(deleteLeg, [bridgeId, callId]);
    if (!leg || !live) return;
    await addCallEvent(tx, call, { at, type: 'call_bridge_ended', detail: { reason } });
    if (leg.answeredAt) await chargeSecondLeg(tx, { call, live, answeredAt: leg.answeredAt, endedAt: at });
    await wakeNextHeld(tx, limitsOf(live));
  });
}
