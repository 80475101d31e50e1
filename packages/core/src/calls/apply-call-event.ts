/**
 * The only writer of a call's status. It works inside the caller's transaction on a locked call; `record-call-event.ts`,
 * `finish-call.ts`, `complete-call.ts` and the sweeps come through here.
 */
import type { CallStatus } from '@parley/contracts';
import { json, statement, type LiveCallRow, type Tx } from '@parley/db';
import { findNextHeld } from '../campaigns/campaign-hold.ts';
import { leaveRefill, mayRefill, refillCampaign } from '../campaigns/refill-campaign.ts';
import { settleLead } from '../campaigns/settle-lead.ts';
import { wakeCampaign } from '../campaigns/wake-campaign.ts';
import { now, type CoreContext } from '../context.ts';
import { noteTrunkOutcome } from '../lines/note-trunk-outcome.ts';
import { chargeCall } from '../prices/charge-call.ts';
import { beginRecording } from '../recordings/stored-recording.ts';
import { announceFinishedCall } from '../webhooks/outbox.ts';
import { addCallEvent } from './call-events.ts';
import { callPhase, nextCallStatus, type CallEventType } from './call-state.rules.ts';
import type { GateKey } from './call-room.ts';
import type { LockedCall, StoredCall } from './lock-call.ts';

/** What became of an event. */
export interface CallEventResult {
  /** The status after the event. */
  status: CallStatus;
  /** False when the event came late, twice or out of order, and changed nothing. */
  isApplied: boolean;
}

/** One thing that happened. */
export interface CallFact {
  event: CallEventType;
  at: Date;
  /** Goes to the timeline, without personal data; its `reason` becomes the call's `ended_reason`. */
  detail?: Record<string, unknown> | undefined;
  /** `StoredDialog` of telephony, with the answer. */
  dialog?: unknown;
}

const updateStatus = statement<StoredCall>(
  'update_call_status',
  `update calls set status = $3, answered_at = $4, ended_at = $5, duration_seconds = $6, ended_by = $7,
     ended_reason = $8, changed_at = clock_timestamp(), updated_at = $9
   where id = $1 and created_at = $2 returning *`,
);
const noteAnswer = statement(
  'note_answer',
  `update live_calls set answered_at = $2, dialog = coalesce($3::jsonb, dialog) where call_id = $1`,
);
const deleteLiveCall = statement('delete_live_call', `delete from live_calls where call_id = $1`);

/** Applies a fact if the state allows it, with everything that must happen in the same transaction. */
export async function applyCallEvent(
  ctx: CoreContext,
  tx: Tx,
  locked: LockedCall,
  fact: CallFact,
): Promise<CallEventResult> {
  const { call, live } = locked;
  const status = nextCallStatus(call.status, fact.event);
  if (status === null) return ignoreEvent(ctx, call, fact);
  const changed = await writeStatus(ctx, tx, call, { ...fact, status });
  await addCallEvent(tx, call, { at: fact.at, type: fact.event, detail: fact.detail });
  switch (callPhase(status)) {
    case 'before-answer':
      break;
    case 'talking':
      await tx.query(noteAnswer, [call.id, fact.at, fact.dialog == null ? null : json(fact.dialog)]);
      await beginRecording(tx, changed, fact.at);
      await noteTrunkOutcome(ctx, tx, { live, reason: null });
      break;
    case 'hung-up':
      await chargeCall(tx, changed, live);
      await tx.query(deleteLiveCall, [call.id]);
      await freeSlot(ctx, tx, { call: changed, live, isFilling: await isFilling(tx, locked) });
      break;
    case 'final':
      await settle(ctx, tx, { ...locked, call: changed });
      break;
  }
  return { status, isApplied: true };
}

/** Never answered, or settled after hang-up; either way nothing is live and the owner is told. */
async function settle(ctx: CoreContext, tx: Tx, locked: LockedCall): Promise<void> {
  const { call, live } = locked;
  const end = { call, live, isFilling: await isFilling(tx, locked) };
  await tx.query(deleteLiveCall, [call.id]);
  await settleLead(ctx, tx, end);
  await announceFinishedCall(ctx, tx, call);
  // After the campaign's lock, as in the last check before an INVITE.
  await noteTrunkOutcome(ctx, tx, { live, reason: call.endedReason });
  await freeSlot(ctx, tx, end);
}

async function isFilling(tx: Tx, { call, isCampaignShared = false }: LockedCall): Promise<boolean> {
  return call.campaignId !== null && !isCampaignShared && (await mayRefill(tx, call.campaignId));
}

/** A call that takes no place any more. */
interface EndedCall {
  call: StoredCall;
  /** As it was; null: its place came free before. */
  live: LiveCallRow | null;
  /** This transaction may fill its campaign. */
  isFilling: boolean;
}

/** Comes last: the campaign's lock is held from here to the end of the transaction. */
async function freeSlot(ctx: CoreContext, tx: Tx, { call, live, isFilling }: EndedCall): Promise<void> {
  const { campaignId } = call;
  const next = live && (await findNextHeld(tx, gatesOf(live), campaignId));
  if (campaignId === null) {
    if (next !== null) await wakeCampaign(tx, next);
    // Where others wait for the place, it is not taken before they can.
  } else if (next !== null) await leaveRefill(tx, campaignId, next);
  else if (isFilling) await refillCampaign(ctx, tx, campaignId);
  else await leaveRefill(tx, campaignId);
}

/** The shared limits that the call counted under. */
function gatesOf({ userId, trunkId }: LiveCallRow): GateKey[] {
  return [`account:${userId}`, ...(trunkId === null ? [] : [`trunk:${trunkId}` as const]), 'fleet'];
}

/** Late and repeated events are normal on a phone network. */
export function ignoreEvent(ctx: CoreContext, call: StoredCall, fact: CallFact): CallEventResult {
  ctx.log.info(
    { callId: call.id, status: call.status, event: fact.event },
    'A late or repeated call event was ignored',
  );
  return { status: call.status, isApplied: false };
}

async function writeStatus(
  ctx: CoreContext,
  tx: Tx,
  call: StoredCall,
  fact: CallFact & { status: CallStatus },
): Promise<StoredCall> {
  const phase = callPhase(fact.status);
  const answeredAt = phase === 'talking' ? fact.at : call.answeredAt;
  const isEnd = call.endedAt === null && (phase === 'hung-up' || phase === 'final');
  const endedAt = isEnd ? fact.at : call.endedAt;
  const [changed] = await tx.query(updateStatus, [
    call.id,
    call.createdAt,
    fact.status,
    answeredAt,
    endedAt,
    secondsBetween(answeredAt, endedAt),
    isEnd ? endedBy(fact.event) : call.endedBy,
    isEnd ? reasonOf(fact) : call.endedReason,
    now(ctx),
  ]);
  if (!changed) throw new Error('A locked call vanished');
  return changed;
}

/** Whole seconds of conversation. */
function secondsBetween(answeredAt: Date | null, endedAt: Date | null): number {
  if (!answeredAt || !endedAt) return 0;
  return Math.max(0, Math.round((endedAt.getTime() - answeredAt.getTime()) / 1000));
}

function endedBy(event: CallEventType): NonNullable<StoredCall['endedBy']> {
  if (event === 'customer-hung-up' || event === 'busy' || event === 'no-answer') return 'customer';
  return event === 'assistant-hung-up' ? 'assistant' : 'system';
}

function reasonOf(fact: CallFact): string {
  const reason = fact.detail?.['reason'];
  return typeof reason === 'string' ? reason : fact.event.replaceAll('-', '_');
}
