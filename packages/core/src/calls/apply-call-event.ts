/**
 * The only writer of a call's status. It works inside the caller's transaction on a locked call; `record-call-event.ts`,
 * `finish-call.ts`, `complete-call.ts` and the sweeps come through here.
 */
import type { CallStatus } from '@parley/contracts';
import { json, statement, type Tx } from '@parley/db';
import { refillCampaign } from '../campaigns/refill-campaign.ts';
import { settleLead } from '../campaigns/settle-lead.ts';
import { now, type CoreContext } from '../context.ts';
import { chargeCall } from '../prices/charge-call.ts';
import { beginRecording } from '../recordings/stored-recording.ts';
import { announceFinishedCall } from '../webhooks/outbox.ts';
import { addCallEvent } from './call-events.ts';
import { callPhase, nextCallStatus, type CallEventType } from './call-state.rules.ts';
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
  { call, live }: LockedCall,
  fact: CallFact,
): Promise<CallEventResult> {
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
      break;
    case 'hung-up':
      await chargeCall(tx, changed, live);
      await tx.query(deleteLiveCall, [call.id]);
      await freeSlot(ctx, tx, changed);
      break;
    case 'final':
      // Never answered, or settled after hang-up; either way nothing is live and the owner is told.
      await tx.query(deleteLiveCall, [call.id]);
      await settleLead(ctx, tx, changed);
      await announceFinishedCall(ctx, tx, changed);
      await freeSlot(ctx, tx, changed);
      break;
  }
  return { status, isApplied: true };
}

/** Comes last: the campaign's lock is held from here to the end of the transaction. */
async function freeSlot(ctx: CoreContext, tx: Tx, { campaignId }: StoredCall): Promise<void> {
  if (campaignId !== null) await refillCampaign(ctx, tx, campaignId);
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
