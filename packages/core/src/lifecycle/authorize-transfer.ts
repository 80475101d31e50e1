/**
 * The last check before a caller is transferred: whether the number may be called now. Voice asks for it. It applies the
 * rules of a dial to the settings that were stored with the call, so that neither a model nor a faulty process can call
 * another number.
 */
import { statement, type LiveCallRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { isDisarmed } from '../capacity/disarmed.ts';
import { isOnDoNotCallList } from '../lookups/is-on-do-not-call-list.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import type { CallConfiguration } from '../calls/call-configuration.ts';
import { addCallEvent } from '../calls/call-events.ts';
import type { LockedCall } from '../calls/lock-call.ts';
import { lockForWriter } from './record-call-event.ts';
import type { DestinationRefusal } from '../capacity/destination.rules.ts';
import { lockDialUsage } from '../capacity/dial-usage.ts';
import { countDial } from '../outbox/report-limits.ts';
import { verdictOfUsage } from '../capacity/dial-usage.rules.ts';
import { findDestinationRefusal } from '../capacity/load-destination-policy.ts';
import { canReach, type RouteTrunk } from '../capacity/route-call.rules.ts';

/** Why the destination must not be called. */
export type TransferRefusal =
  | 'over'
  | 'not_listed'
  | 'do_not_call'
  | 'in_call'
  | 'no_line'
  | 'daily_limit'
  | 'disarmed'
  | 'account_disabled'
  | 'trunk_rate'
  | DestinationRefusal;

/** The answer. */
export type TransferAuthorization = { isAllowed: true } | { isAllowed: false; reason: TransferRefusal };

/** Which call, to whom. */
export interface TransferInput {
  callId: number;
  /** E.164. */
  phoneNumber: string;
  fence: VoiceFence;
}

const findLive = statement<{ callId: number }>(
  'live_call_of_destination',
  `select call_id from live_calls where user_id = $1 and client_phone_number = $2`,
);
const findDisabled = statement<{ id: number }>(
  'disabled_account',
  `select id from users where id = $1 and disabled_at is not null`,
);
const selectReach = statement<Pick<RouteTrunk, 'reach'>>(
  'reach_of_trunk',
  `select reach from trunks where id = $1`,
);

/**
 * A permission stands in the call's timeline before anything is sent.
 *
 * @throws FencedError; DomainError `not-found` when there is no such call
 */
export async function authorizeTransfer(
  ctx: CoreContext,
  input: TransferInput,
): Promise<TransferAuthorization> {
  return ctx.db.transaction(async (tx): Promise<TransferAuthorization> => {
    const locked = await lockForWriter(tx, input);
    const reason =
      (await transferRefusalOf(tx, locked, input.phoneNumber)) ?? (await countTransfer(ctx, tx, locked));
    const at = now(ctx);
    const type = reason ? 'call_transfer_refused' : 'call_transfer';
    await addCallEvent(tx, locked.call, { at, type, detail: reason ? { reason } : {} });
    return reason ? { isAllowed: false, reason } : { isAllowed: true };
  });
}

/** The carrier dials the number, and its costs are ours: a transfer counts as a dial. */
async function countTransfer(
  ctx: CoreContext,
  tx: Tx,
  { live }: LockedCall,
): Promise<TransferRefusal | null> {
  if (!live) return 'over';
  const usages = await lockDialUsage(tx, live);
  const verdict = verdictOfUsage(usages);
  if (verdict) return verdict.reason === 'wait' ? 'trunk_rate' : 'daily_limit';
  await countDial(ctx, tx, usages);
  return null;
}

/** @returns null when that number may ring for this call */
export async function transferRefusalOf(
  tx: Tx,
  locked: LockedCall,
  phoneNumber: string,
): Promise<TransferRefusal | null> {
  const { call, live } = locked;
  if (!live) return 'over';
  const refusal = await callRefusalOf(tx, locked);
  if (refusal) return refusal;
  return isListed(call.configuration, phoneNumber) ? numberRefusalOf(tx, live, phoneNumber) : 'not_listed';
}

/** @returns null when any number may be called for this call */
export async function callRefusalOf(tx: Tx, { call, live }: LockedCall): Promise<TransferRefusal | null> {
  if (!live || live.hangUpRequestedAt !== null || call.status !== 'in-progress') return 'over';
  if (await isDisarmed(tx)) return 'disarmed';
  return (await tx.query(findDisabled, [live.userId])).length > 0 ? 'account_disabled' : null;
}

/** @returns null when that number may ring on the trunk of the call */
export async function numberRefusalOf(
  tx: Tx,
  live: Pick<LiveCallRow, 'userId' | 'trunkId'>,
  phoneNumber: string,
): Promise<TransferRefusal | null> {
  if (await isOnDoNotCallList(tx, live.userId, phoneNumber)) return 'do_not_call';
  if ((await tx.query(findLive, [live.userId, phoneNumber])).length > 0) return 'in_call';
  const [trunk] = live.trunkId === null ? [] : await tx.query(selectReach, [live.trunkId]);
  if (!trunk || !canReach(trunk, phoneNumber)) return 'no_line';
  return findDestinationRefusal(tx, { trunkId: live.trunkId, to: phoneNumber });
}

const TRANSFER_TOOLS: ReadonlySet<string> = new Set(['call_transfer', 'warm_call_transfer']);

/** In a tool of any assistant that the call may come to. */
function isListed({ others = [], ...first }: CallConfiguration, phoneNumber: string): boolean {
  const tools = [first, ...others].flatMap(({ assistant }) => assistant.tools);
  return tools.some(({ type, data }) => TRANSFER_TOOLS.has(type) && namesNumber(data, phoneNumber));
}

function namesNumber({ destinations }: Record<string, unknown>, phoneNumber: string): boolean {
  return (
    Array.isArray(destinations) &&
    destinations.some((one: { phone_number?: unknown }) => one.phone_number === phoneNumber)
  );
}
