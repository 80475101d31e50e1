/**
 * The only writer of a call's status. It works inside the caller's transaction on a locked call; `record-call-event.ts`,
 * `finish-call.ts`, `complete-call.ts` and the sweeps come through here.
 */
import type { CallStatus, EndReason } from '@parley/contracts';
import { json, sendTogether, statement, type LiveCallRow, type Transaction, type Tx } from '@parley/db';
import { findNextHeld } from '../capacity/campaign-hold.ts';
import type { Refill } from '../dialing/fill-campaign.ts';
import { askForRefill } from '../dialing/refill-campaign.ts';
import { settleLead } from '../dialing/settle-lead.ts';
import { now, type CoreContext } from '../context.ts';
import { noteTrunkOutcome } from '../capacity/note-trunk-outcome.ts';
import type { UsedQuantity } from '../prices/call-costs.rules.ts';
import { storeDisposition } from '../calls/call-disposition.ts';
import { chargeCall } from '../calls/charge-call.ts';
import { beginRecording } from '../calls/stored-recording.ts';
import { hasMessage } from '../calls/has-message.rules.ts';
import { announceCallEvents, announcePausedTrunk, type CallReport } from '../outbox/announce-events.ts';
import { announceFinishedCall, findWebhookTargets } from '../outbox/outbox.ts';
import { recordingUrl, type SignedRecording } from '../recordings/recording-url.ts';
import type { TimelineEntry } from '../calls/call-events.ts';
import { secondsBetween } from '../calls/call-seconds.rules.ts';
import { callPhase, nextCallStatus, type CallEventType } from '../calls/call-state.rules.ts';
import type { LimitKey } from '../capacity/call-capacity.ts';
import type { LockedCall, StoredCall } from '../calls/lock-call.ts';

/** The result of an event. */
export interface CallEventResult {
  /** The status after the event. */
  status: CallStatus;
  /** False when the event was late, repeated or out of order and changed nothing. */
  isApplied: boolean;
}

/** Stored in the timeline; contains no personal data. */
interface FactDetail {
  /** Becomes the call's `ended_reason` if the fact ends the call. */
  reason?: EndReason;
  [name: string]: unknown;
}

/** One thing that happened. */
export interface CallFact {
  event: CallEventType;
  at: Date;
  detail?: FactDetail | undefined;
  /** `StoredDialog` of telephony, with the answer. */
  dialog?: unknown;
  /** At the end of the call: what it used. */
  used?: readonly UsedQuantity[] | undefined;
  extras?: FactExtras | undefined;
}

/** What is written in the same statement as a fact. */
export interface FactExtras {
  /** Columns of the call that change with the fact. */
  columns?: CallColumns;
  /** Entries of the timeline that come before that of the last fact. */
  entries?: readonly TimelineEntry[];
  /** The disposition that the evaluation chose; null or absent: none. */
  disposition?: string | null | undefined;
  /** A second fact that follows at once, so that the state between the two is never visible. */
  next?: CallFact | null;
  /** The recording that is ready now. */
  recording?: SignedRecording | null;
}

/** The result of a conversation. An absent column stays unchanged. */
type CallColumns = Partial<
  Pick<StoredCall, 'transcript' | 'turns' | 'variables' | 'answeredBy' | 'toolCalls' | 'evaluation'>
>;

const updateCall = statement<{ id: number }>(
  'update_call',
  `with noted as (
     insert into call_events (call_id, call_created_at, id, at, type, detail)
     select $1, $2, nextval('call_event_ids'), at, type, detail
     from rows from (jsonb_to_recordset($10) as (at timestamptz, type text, detail jsonb)) with ordinality
       as entries (at, type, detail, position)
     order by position
   )
   update calls set status = $3, answered_at = $4, ended_at = $5, duration_seconds = $6, ended_by = $7,
     ended_reason = $8, updated_at = $9, changed_at = clock_timestamp(),
     transcript = coalesce($11, transcript), turns = coalesce($12, turns), variables = coalesce($13, variables),
     answered_by = coalesce($14, answered_by), tool_calls = coalesce($15, tool_calls),
     evaluation = coalesce($16, evaluation)
   where id = $1 and created_at = $2 returning id`,
);
const noteAnswer = statement(
  'note_answer',
  `update live_calls set answered_at = $2, dialog = coalesce($3::jsonb, dialog) where call_id = $1`,
);
/** The early dialog of a call that rings, with which another process can end it (RFC 3261 section 15). */
const noteRinging = statement('note_ringing', `update live_calls set dialog = $2 where call_id = $1`);
/** Deletes the second leg of a bridge too. */
const deleteLiveCall = statement(
  'delete_live_call',
  `delete from live_calls where call_id = $1 or bridged_call_id = $1`,
);

/** Applies a fact if the state table allows it, with everything that belongs to the same transaction. */
export async function applyCallEvent(
  ctx: CoreContext,
  tx: Transaction,
  locked: LockedCall,
  fact: CallFact,
): Promise<CallEventResult> {
  const { extras = {} } = fact;
  const steps = stepsFrom(locked.call.status, [fact, ...(extras.next ? [extras.next] : [])]);
  const last = steps.at(-1);
  if (!last) return ignoreEvent(ctx, locked.call, fact);
  const call = callAfter(ctx, locked.call, { steps, extras });
  const phases = steps.map(({ status }) => callPhase(status));
  const isFinal = callPhase(last.status) === 'final';
  const after = { ...locked, call };
  const reports = reportsOf(ctx, locked.call, { call, extras });
  const isEnding = locked.call.endedAt === null && call.endedAt !== null;
  await sendTogether(tx, [
    (tx) => writeCall(tx, call, { steps, extras }),
    extras.disposition != null && ((tx) => noteDisposition(tx, call, extras.disposition ?? null, fact.at)),
    phases.includes('talking') && ((tx) => noteConversation(ctx, tx, after, fact)),
    last.event === 'ringing' &&
      fact.dialog != null &&
      ((tx) => tx.query(noteRinging, [call.id, json(fact.dialog)])),
    isEnding && ((tx) => chargeCall(tx, { call, live: locked.live, used: fact.used })),
    (tx) => announceCallEvents(tx, call, { reports, occurredAt: fact.at, at: now(ctx) }),
  ]);
  const [home, refills = []] = await sendTogether(tx, [
    isFinal && ((tx) => settle(ctx, tx, after)),
    (isFinal || phases.includes('hung-up')) && ((tx) => freeSlot(tx, after)),
  ]);
  // True if the lead was moved to another campaign during its call.
  const isElsewhere = home != null && home !== call.campaignId;
  await askForRefill(ctx, tx, isElsewhere ? [...refills, { campaignId: home }] : refills);
  return { status: last.status, isApplied: true };
}

/** A disposition that a person has set meanwhile stays. */
async function noteDisposition(
  tx: Tx,
  call: StoredCall,
  disposition: string | null,
  at: Date,
): Promise<void> {
  const { campaignId } = call;
  if (campaignId === null || disposition === null) return;
  await storeDisposition(tx, { ...call, campaignId }, { disposition, source: 'evaluation', at });
}

/** What webhook endpoints may subscribe to of a change. */
function reportsOf(
  ctx: CoreContext,
  before: StoredCall,
  { call, extras }: { call: StoredCall; extras: FactExtras },
): CallReport[] {
  const { status, endedReason, durationSeconds, evaluation } = call;
  const reports: CallReport[] = [];
  if (before.answeredAt === null && call.answeredAt !== null) reports.push({ event: 'call.answered' });
  if (before.endedAt === null && call.endedAt !== null)
    reports.push({ event: 'call.ended', status, ended_reason: endedReason, duration: durationSeconds });
  if (extras.recording) {
    const recording_url = recordingUrl(ctx, extras.recording);
    reports.push({ event: 'recording.ready', recording_url });
    if (hasMessage(call)) {
      const { transcript } = call;
      reports.push({ event: 'voicemail.received', recording_url, transcript, duration: durationSeconds });
    }
  }
  if (extras.entries?.some(({ type }) => type === 'evaluated'))
    reports.push({ event: 'call.evaluated', evaluation });
  return reports;
}

type Step = CallFact & { status: CallStatus };

/** The facts that the state table allows, up to the first that it does not. */
function stepsFrom(from: CallStatus, facts: readonly CallFact[]): Step[] {
  const steps: Step[] = [];
  for (const fact of facts) {
    const status = nextCallStatus(steps.at(-1)?.status ?? from, fact.event);
    if (status === null) break;
    steps.push({ ...fact, status });
  }
  return steps;
}

async function noteConversation(
  ctx: CoreContext,
  tx: Tx,
  { call, live }: LockedCall,
  { at, dialog }: CallFact,
): Promise<void> {
  await sendTogether(tx, [
    (tx) => tx.query(noteAnswer, [call.id, at, dialog == null ? null : json(dialog)]),
    (tx) => beginRecording(tx, call, at),
    // An answer never pauses a trunk.
    (tx) => noteTrunkOutcome(ctx, tx, { live, reason: null }),
  ]);
}

/**
 * Settles a call that was never answered, or whose evaluation is done.
 *
 * @returns the current campaign of its lead; null: none
 */
async function settle(ctx: CoreContext, tx: Tx, { call, live }: LockedCall): Promise<number | null> {
  const [home, targets] = await sendTogether(tx, [
    (tx) => settleLead(ctx, tx, call),
    (tx) => findWebhookTargets(tx, call),
  ]);
  await announceFinishedCall(ctx, tx, call, targets);
  // After the lead, in the lock order of campaign-rows.ts.
  const pause = await noteTrunkOutcome(ctx, tx, { live, reason: call.endedReason });
  if (pause) await announcePausedTrunk(tx, pause, now(ctx));
  return home;
}

/** @returns the campaigns to refill: first the one that has waited longest for the slot, then the call's own */
async function freeSlot(tx: Tx, { call, live }: LockedCall): Promise<Refill[]> {
  const { campaignId } = call;
  const [next] = await sendTogether(tx, [
    async (tx) => live && findNextHeld(tx, limitsOf(live), campaignId),
    (tx) => tx.query(deleteLiveCall, [call.id]),
  ]);
  return [
    ...(next === null ? [] : [{ campaignId: next }]),
    ...(campaignId === null ? [] : [{ campaignId, isYielding: next !== null }]),
  ];
}

/** The shared limits under which the call counts. */
export function limitsOf({ userId, trunkId }: LiveCallRow): LimitKey[] {
  return [`account:${userId}`, ...(trunkId === null ? [] : [`trunk:${trunkId}` as const]), 'fleet'];
}

/** Ignores an event that is late or repeated, which is normal in telephony. */
export function ignoreEvent(ctx: CoreContext, call: StoredCall, fact: CallFact): CallEventResult {
  ctx.log.info(
    { callId: call.id, status: call.status, event: fact.event },
    'A late or repeated call event was ignored',
  );
  return { status: call.status, isApplied: false };
}

interface CallChange {
  steps: readonly Step[];
  extras: FactExtras;
}

/** The call after the change. */
function callAfter(ctx: CoreContext, call: StoredCall, { steps, extras }: CallChange): StoredCall {
  return steps.reduce(afterStep, { ...call, ...extras.columns, updatedAt: now(ctx) });
}

async function writeCall(tx: Tx, changed: StoredCall, { steps, extras }: CallChange): Promise<void> {
  const { columns = {}, entries: others = [] } = extras;
  const entries = steps.map(({ at, event, detail }): TimelineEntry => ({ at, type: event, detail }));
  entries.splice(-1, 0, ...others);
  const [written] = await tx.query(updateCall, [
    changed.id,
    changed.createdAt,
    changed.status,
    changed.answeredAt,
    changed.endedAt,
    changed.durationSeconds,
    changed.endedBy,
    changed.endedReason,
    changed.updatedAt,
    json(entries.map(({ detail = {}, ...entry }) => ({ ...entry, detail }))),
    columns.transcript ?? null,
    jsonOrNull(columns.turns),
    jsonOrNull(columns.variables),
    columns.answeredBy ?? null,
    jsonOrNull(columns.toolCalls),
    jsonOrNull(columns.evaluation),
  ]);
  if (!written) throw new Error('A locked call no longer exists');
}

function afterStep(call: StoredCall, step: Step): StoredCall {
  const phase = callPhase(step.status);
  const answeredAt = phase === 'talking' ? step.at : call.answeredAt;
  const isEnd = call.endedAt === null && (phase === 'hung-up' || phase === 'final');
  const endedAt = isEnd ? step.at : call.endedAt;
  return {
    ...call,
    status: step.status,
    answeredAt,
    endedAt,
    durationSeconds: secondsBetween(answeredAt, endedAt),
    ...(isEnd && { endedBy: endedBy(step.event), endedReason: reasonOf(step) }),
  };
}

/** End reasons of facts without a reason of their own. */
const DEFAULT_REASONS: Partial<Record<CallEventType, EndReason>> = {
  busy: 'busy',
  'no-answer': 'no_answer',
  failed: 'failed',
  'customer-hung-up': 'customer_hung_up',
  'assistant-hung-up': 'assistant_hung_up',
  ended: 'ended',
};

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : json(value);
}

function endedBy(event: CallEventType): NonNullable<StoredCall['endedBy']> {
  if (event === 'customer-hung-up' || event === 'busy' || event === 'no-answer') return 'customer';
  return event === 'assistant-hung-up' ? 'assistant' : 'system';
}

function reasonOf({ event, detail }: CallFact): EndReason | null {
  return detail?.reason ?? DEFAULT_REASONS[event] ?? null;
}
