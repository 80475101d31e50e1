/**
 * The last question before the second leg of a bridge is dialed: a caller is to be put through over us. What holds for
 * a transfer holds here, and what holds for every dial: a place on account and trunk, and the trunk's turn. Whoever is
 * told yes has a live row of its own, with the Call-ID of the one INVITE, before anything is sent.
 */
import { randomUUID } from 'node:crypto';
import { isUniqueViolation, sendTogether, statement, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { fleetCapacity } from '../capacity/lease.ts';
import { isStalePermission, waitForTurn } from './authorize-dial.ts';
import { transferRefusalOf, type TransferInput, type TransferRefusal } from './authorize-transfer.ts';
import { addCallEvent } from '../calls/call-events.ts';
import { lockCallRoom, planGates } from '../capacity/call-room.ts';
import { ONE_CALL_PER_NUMBER } from '../calls/insert-call.ts';
import { loadLines, type StoredTrunk } from '../capacity/load-lines.ts';
import type { LockedCall } from '../calls/lock-call.ts';
import { lockForWriter } from './record-call-event.ts';
import { recordBridgeEnd } from './record-bridge.ts';
import type { LineReason } from '../capacity/route-call.rules.ts';

/** Why the second leg must not be dialed. */
export type BridgeRefusal = TransferRefusal | 'account_calls' | LineReason | 'too_late';

/** A second leg that may be dialed, once. */
export interface PermittedBridge {
  /** Of its live row; no call of the history has this id. */
  bridgeId: number;
  sipCallId: string;
}

/** The answer. `wait`: the trunk may not begin another call yet; ask again then. */
export type BridgeAuthorization =
  | ({ isAllowed: true } & PermittedBridge)
  | { isAllowed: false; reason: BridgeRefusal }
  | { isAllowed: false; reason: 'wait'; waitMs: number };

const findLine = statement<{ userId: number; trunkId: number | null }>(
  'line_of_live_call',
  `select user_id, trunk_id from live_calls where call_id = $1`,
);
const insertLeg = statement<{ callId: number }>(
  'insert_bridge',
  `insert into live_calls (call_id, bridged_call_id, call_created_at, user_id, assistant_id, type, client_phone_number,
     trunk_id, sip_call_id, voice_process_id, voice_epoch, intent_at, invite_sent_at, created_at)
   select nextval('call_ids'), call_id, call_created_at, user_id, assistant_id, 'outbound', $2, trunk_id, $3,
     voice_process_id, voice_epoch, $4::timestamptz, $4::timestamptz, $4::timestamptz
   from live_calls where call_id = $1 returning call_id`,
);

/** @throws FencedError; DomainError `not-found` when there is no such call */
export async function authorizeBridge(ctx: CoreContext, input: TransferInput): Promise<BridgeAuthorization> {
  let decidedMs = Infinity;
  const answer = await ctx.db
    .transaction(async (tx) => {
      const decision = await authorize(ctx, tx, input);
      decidedMs = ctx.clock.monotonic();
      return decision;
    })
    .catch((error: unknown): BridgeAuthorization => {
      // The number has called us at this moment.
      if (!isUniqueViolation(error, ONE_CALL_PER_NUMBER)) throw error;
      return { isAllowed: false, reason: 'in_call' };
    });
  if (!answer.isAllowed || !isStalePermission(ctx, decidedMs)) return answer;
  const { callId, fence } = input;
  const { bridgeId } = answer;
  await recordBridgeEnd(ctx, { callId, bridgeId, at: now(ctx), reason: 'too_late', fence });
  return { isAllowed: false, reason: 'too_late' };
}

/** The shared limits are locked before the call, as by everybody who begins calls. */
async function authorize(ctx: CoreContext, tx: Tx, input: TransferInput): Promise<BridgeAuthorization> {
  const { callId, phoneNumber } = input;
  const [line] = await tx.query(findLine, [callId]);
  if (!line) return { isAllowed: false, reason: 'over' };
  const { trunk, fullBecause } = await lockPlace(ctx, tx, line);
  const locked = await lockForWriter(tx, input);
  const reason = (await transferRefusalOf(tx, locked, phoneNumber)) ?? fullBecause;
  if (reason) return refuse(ctx, tx, { ...locked, reason });
  const waitMs = await waitForTurn(tx, { trunkId: line.trunkId, isPaced: trunk?.maxCps != null });
  if (waitMs !== null) return { isAllowed: false, reason: 'wait', waitMs };
  const at = now(ctx);
  const sipCallId = randomUUID();
  const [[leg]] = await sendTogether(tx, [
    (tx) => tx.query(insertLeg, [callId, phoneNumber, sipCallId, at]),
    (tx) => addCallEvent(tx, locked.call, { at, type: 'call_bridge' }),
  ]);
  if (!leg) throw new Error('A locked call vanished');
  return { isAllowed: true, bridgeId: leg.callId, sipCallId };
}

/** Nobody else takes the place until the transaction ends. The voice process itself knows whether it has room. */
async function lockPlace(
  ctx: CoreContext,
  tx: Tx,
  { userId, trunkId }: { userId: number; trunkId: number | null },
): Promise<{ trunk: StoredTrunk | undefined; fullBecause: BridgeRefusal | null }> {
  const [{ trunks }, capacity] = await sendTogether(tx, [(tx) => loadLines(tx, userId), fleetCapacity]);
  const trunk = trunks.find(({ id }) => id === trunkId);
  const lines = { trunks: trunk ? [trunk] : [], numbers: [] };
  const request = { userId, lines, wanted: 1, at: now(ctx), fleetCapacity: capacity };
  const room = await lockCallRoom(tx, await planGates(tx, request));
  if (room.account <= 0) return { trunk, fullBecause: 'account_calls' };
  const onTrunk = trunkId === null ? undefined : room.trunks.get(trunkId);
  return { trunk, fullBecause: onTrunk && onTrunk.free <= 0 ? onTrunk.hold.reason : null };
}

async function refuse(
  ctx: CoreContext,
  tx: Tx,
  { call, reason }: Pick<LockedCall, 'call'> & { reason: BridgeRefusal },
): Promise<BridgeAuthorization> {
  await addCallEvent(tx, call, { at: now(ctx), type: 'call_transfer_refused', detail: { reason } });
  return { isAllowed: false, reason };
}
