/**
 * Authorises the second leg of a bridge, immediately before it is dialed. The conditions of a transfer apply, and those
 * of every outbound call: a slot on account and trunk, and the trunk's limit of calls per second. With the permission
 * the leg gets a live row of its own, with the Call-ID of its one INVITE, before anything is sent.
 */
import { randomUUID } from 'node:crypto';
import { isUniqueViolation, sendTogether, statement, type Tx } from '@parley/db';
import { lockDialUsage, type DialSubjects } from '../capacity/dial-usage.ts';
import { countDial } from '../outbox/report-limits.ts';
import { verdictOfUsage } from '../capacity/dial-usage.rules.ts';
import { now, type CoreContext } from '../context.ts';
import { fleetCapacity } from '../capacity/lease.ts';
import { isStalePermission, waitForTurn } from './authorize-dial.ts';
import { transferRefusalOf, type TransferInput, type TransferRefusal } from './authorize-transfer.ts';
import { addCallEvent } from '../calls/call-events.ts';
import { lockCallCapacity, planLimitLocks } from '../capacity/call-capacity.ts';
import { ONE_CALL_PER_NUMBER } from '../calls/insert-call.ts';
import { loadRouteOptions, type StoredTrunk } from '../capacity/load-route-options.ts';
import type { LockedCall } from '../calls/lock-call.ts';
import { lockForWriter } from './record-call-event.ts';
import { recordBridgeEnd } from './record-bridge.ts';
import type { TrunkHoldReason } from '../capacity/route-call.rules.ts';

/** Why the second leg must not be dialed. */
export type BridgeRefusal = TransferRefusal | 'account_calls' | TrunkHoldReason | 'too_late';

/** A second leg that may be dialed, once. */
export interface PermittedBridge {
  /** The id of its row in `live_calls`; no row of `calls` has this id. */
  bridgeId: number;
  sipCallId: string;
}

/** The result. `wait`: the trunk has reached its limit of calls per second; ask again after `waitMs`. */
export type BridgeAuthorization =
  | ({ isAllowed: true } & PermittedBridge)
  | { isAllowed: false; reason: BridgeRefusal }
  | { isAllowed: false; reason: 'wait'; waitMs: number };

const findTrunk = statement<DialSubjects>(
  'trunk_of_live_call',
  `select user_id, token_id, trunk_id from live_calls where call_id = $1`,
);
const insertLeg = statement<{ callId: number }>(
  'insert_bridge',
  `insert into live_calls (call_id, bridged_call_id, call_created_at, user_id, assistant_id, type, client_phone_number,
     trunk_id, sip_call_id, voice_process_id, intent_at, invite_sent_at, created_at, token_id)
   select nextval('call_ids'), call_id, call_created_at, user_id, assistant_id, 'outbound', $2, trunk_id, $3,
     voice_process_id, $4::timestamptz, $4::timestamptz, $4::timestamptz, token_id
   from live_calls where call_id = $1 returning call_id`,
);

/** Whom a second leg calls, or why it must not. */
export type LegParty<Refusal> = { phoneNumber: string } | { refusal: Refusal };

/** What differs between the reasons for a second leg. */
export interface SecondLegRules<Refusal extends string> {
  findParty: (tx: Tx, locked: LockedCall) => Promise<LegParty<Refusal>>;
  /** Events of the timeline. */
  events: { permitted: string; refused: string };
}

/** The result with further reasons. */
export type LegAuthorization<Refusal> = BridgeAuthorization | { isAllowed: false; reason: Refusal };

const BRIDGE_EVENTS = { permitted: 'call_bridge', refused: 'call_transfer_refused' };

/** @throws FencedError; DomainError `not-found` when there is no such call */
export async function authorizeBridge(ctx: CoreContext, input: TransferInput): Promise<BridgeAuthorization> {
  const { phoneNumber } = input;
  const findParty = async (tx: Tx, locked: LockedCall): Promise<LegParty<BridgeRefusal>> => {
    const refusal = await transferRefusalOf(tx, locked, phoneNumber);
    return refusal ? { refusal } : { phoneNumber };
  };
  return authorizeSecondLeg(ctx, input, { findParty, events: BRIDGE_EVENTS });
}

/**
 * Decides under the locks of the limits and of the call.
 *
 * @throws FencedError; DomainError `not-found` when there is no such call
 */
export async function authorizeSecondLeg<Refusal extends string>(
  ctx: CoreContext,
  input: Pick<TransferInput, 'callId' | 'fence'>,
  rules: SecondLegRules<Refusal>,
): Promise<LegAuthorization<Refusal>> {
  let decidedMs = Infinity;
  const answer = await ctx.db
    .transaction(async (tx) => {
      const decision = await authorize(ctx, tx, input, rules);
      decidedMs = ctx.clock.monotonic();
      return decision;
    })
    .catch((error: unknown): LegAuthorization<Refusal> => {
      // A call from this number has begun at the same moment.
      if (!isUniqueViolation(error, ONE_CALL_PER_NUMBER)) throw error;
      return { isAllowed: false, reason: 'in_call' };
    });
  if (!answer.isAllowed || !isStalePermission(ctx, decidedMs)) return answer;
  const { callId, fence } = input;
  const { bridgeId } = answer;
  await recordBridgeEnd(ctx, { callId, bridgeId, at: now(ctx), reason: 'too_late', fence });
  return { isAllowed: false, reason: 'too_late' };
}

/** Locks the shared limits before the call, in the lock order of campaign-rows.ts. */
async function authorize<Refusal extends string>(
  ctx: CoreContext,
  tx: Tx,
  input: Pick<TransferInput, 'callId' | 'fence'>,
  { findParty, events }: SecondLegRules<Refusal>,
): Promise<LegAuthorization<Refusal>> {
  const { callId } = input;
  const [live] = await tx.query(findTrunk, [callId]);
  if (!live) return { isAllowed: false, reason: 'over' };
  const { trunk, fullBecause } = await lockSlot(ctx, tx, live);
  const locked = await lockForWriter(tx, input);
  const refuse = async <Reason extends string>(
    reason: Reason,
  ): Promise<{ isAllowed: false; reason: Reason }> => {
    await addCallEvent(tx, locked.call, { at: now(ctx), type: events.refused, detail: { reason } });
    return { isAllowed: false, reason };
  };
  const party = await findParty(tx, locked);
  if ('refusal' in party) return refuse(party.refusal);
  if (fullBecause) return refuse(fullBecause);
  const usages = await lockDialUsage(tx, live);
  const verdict = verdictOfUsage(usages);
  if (verdict?.reason === 'wait') return { isAllowed: false, ...verdict };
  if (verdict) return refuse('daily_limit');
  const waitMs = await waitForTurn(tx, { trunkId: live.trunkId, isPaced: trunk?.maxCps != null });
  if (waitMs !== null) return { isAllowed: false, reason: 'wait', waitMs };
  const at = now(ctx);
  const sipCallId = randomUUID();
  const [[leg]] = await sendTogether(tx, [
    (tx) => tx.query(insertLeg, [callId, party.phoneNumber, sipCallId, at]),
    (tx) => addCallEvent(tx, locked.call, { at, type: events.permitted }),
    (tx) => countDial(ctx, tx, usages),
  ]);
  if (!leg) throw new Error('A locked call no longer exists');
  return { isAllowed: true, bridgeId: leg.callId, sipCallId };
}

/** Locks a slot on account and trunk until the transaction ends. The voice process checks its own capacity itself. */
async function lockSlot(
  ctx: CoreContext,
  tx: Tx,
  { userId, trunkId }: { userId: number; trunkId: number | null },
): Promise<{ trunk: StoredTrunk | undefined; fullBecause: BridgeRefusal | null }> {
  const [{ trunks, destinations }, capacityOfFleet] = await sendTogether(tx, [
    (tx) => loadRouteOptions(tx, userId),
    fleetCapacity,
  ]);
  const trunk = trunks.find(({ id }) => id === trunkId);
  const routeOptions = { trunks: trunk ? [trunk] : [], numbers: [], destinations };
  const request = { userId, routeOptions, wanted: 1, at: now(ctx), fleetCapacity: capacityOfFleet };
  const capacity = await lockCallCapacity(tx, await planLimitLocks(tx, request));
  if (capacity.account <= 0) return { trunk, fullBecause: 'account_calls' };
  const onTrunk = trunkId === null ? undefined : capacity.trunks.get(trunkId);
  return { trunk, fullBecause: onTrunk && onTrunk.free <= 0 ? onTrunk.hold.reason : null };
}
