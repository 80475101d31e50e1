/**
 * Grants the permission to send the INVITE of a call, immediately before it is sent. At most one request per call is ever
 * granted; from then on the attempt counts.
 */
import { sendTogether, statement, type Transaction, type Tx } from '@parley/db';
import type { DialObstacle } from '../dialing/check-dial.ts';
import { lockDialUsage } from '../capacity/dial-usage.ts';
import { announceCallEvents, type ReportedCall } from '../outbox/announce-events.ts';
import { countDial } from '../outbox/report-limits.ts';
import { verdictOfUsage } from '../capacity/dial-usage.rules.ts';
import { now, type CoreContext } from '../context.ts';
import { applyCallEvent } from './apply-call-event.ts';
import { addCallEvent } from '../calls/call-events.ts';
import { findDialObstacle, type DialToCheck } from './find-dial-obstacle.ts';
import { addNumberAttempt } from '../lookups/number-attempts.ts';
import { lockCall } from '../calls/lock-call.ts';
import type { VoiceFence } from '../capacity/lease.ts';
import { recordCallEvent } from './record-call-event.ts';

/**
 * Why an INVITE must not be sent. The first four reasons leave the call as it is: it has ended or belongs to another
 * process. An obstacle ends it as `failed` with that reason and does not count as an attempt; neither does a permission
 * that arrived too late.
 */
export type DialRefusal =
  | 'over'
  | 'fenced'
  | 'already_sent'
  | 'hang_up_requested'
  | 'too_late'
  | DialObstacle;

/** The result. `wait`: the trunk has reached its limit of calls per second; ask again after `waitMs`. */
export type DialAuthorization =
  | { isAllowed: true }
  | { isAllowed: false; reason: DialRefusal }
  | { isAllowed: false; reason: 'wait'; waitMs: number };

interface DialRow extends DialToCheck, Pick<ReportedCall, 'type' | 'assistantPhoneNumber' | 'assistantId'> {
  callCreatedAt: Date;
  voiceProcessId: string | null;
  inviteSentAt: Date | null;
  hangUpRequestedAt: Date | null;
  isLeased: boolean;
  /** Its trunk has a limit of calls per second. */
  isPaced: boolean;
}

const lockDial = statement<DialRow>(
  'lock_dial',
  `select l.call_created_at, l.user_id, l.client_phone_number, l.trunk_id, l.campaign_id, l.lead_id, l.token_id,
     l.type, l.assistant_id, c.assistant_phone_number, c.attempt,
     l.voice_process_id, l.invite_sent_at, l.hang_up_requested_at,
     exists (
       select 1 from voice_processes p where p.id = l.voice_process_id and p.lease_until > now()
     ) as is_leased,
     exists (select 1 from trunks t where t.id = l.trunk_id and t.max_cps is not null) as is_paced
   from live_calls l join calls c on c.id = l.call_id and c.created_at = l.call_created_at
   where l.call_id = $1 for update of l`,
);
/** Takes the trunk's next start time, which are evenly spaced; no row: it is in the future, or the trunk has no limit. */
const takeTurn = statement<{ id: number }>(
  'take_trunk_turn',
  `update trunks set next_invite_at = clock_timestamp() + interval '1 second' / max_cps
   where id = $1 and max_cps is not null and coalesce(next_invite_at, '-infinity') <= clock_timestamp()
   returning id`,
);
const findTurn = statement<{ waitMs: number }>(
  'next_trunk_turn',
  `select greatest(1, ceil(extract(epoch from next_invite_at - clock_timestamp()) * 1000)) as wait_ms
   from trunks where id = $1 and max_cps is not null`,
);
const markSent = statement(
  'mark_invite_sent',
  `update live_calls set invite_sent_at = $2 where call_id = $1`,
);

interface Asker {
  callId: number;
  fence: VoiceFence;
}

/**
 * A permission is valid for this many milliseconds after the decision. A process that was frozen or disconnected before
 * it received the answer may have been fenced since, so this must be well below the duration of a lease.
 */
const PERMISSION_MS = 2_000;

/** Requires the intent and a valid lease of this process, no earlier permission, and no request to hang up. */
export async function authorizeDial(ctx: CoreContext, input: Asker): Promise<DialAuthorization> {
  let decidedMs = Infinity;
  const answer = await ctx.db.transaction(async (tx): Promise<DialAuthorization> => {
    const [row] = await tx.query(lockDial, [input.callId]);
    const reason = refusalOf(row, input);
    if (!row || reason) return { isAllowed: false, reason: reason ?? 'over' };
    const obstacle = await findDialObstacle(ctx, tx, row);
    if (obstacle) return refuse(ctx, tx, input.callId, obstacle);
    const usages = await lockDialUsage(tx, row);
    const verdict = verdictOfUsage(usages);
    if (verdict?.reason === 'wait') return { isAllowed: false, ...verdict };
    if (verdict) return refuse(ctx, tx, input.callId, 'daily_limit');
    const waitMs = await waitForTurn(tx, row);
    if (waitMs !== null) return { isAllowed: false, reason: 'wait', waitMs };
    decidedMs = ctx.clock.monotonic();
    const at = now(ctx);
    const call = { ...row, id: input.callId, createdAt: row.callCreatedAt };
    await sendTogether(tx, [
      (tx) => tx.query(markSent, [input.callId, at]),
      (tx) => addCallEvent(tx, { id: input.callId, createdAt: row.callCreatedAt }, { at, type: 'dialed' }),
      (tx) => countDial(ctx, tx, usages),
      (tx) => addNumberAttempt(tx, row, at),
      (tx) => announceCallEvents(tx, call, { reports: [{ event: 'call.started' }], occurredAt: at, at }),
    ]);
    return { isAllowed: true };
  });
  return answer.isAllowed && isStalePermission(ctx, decidedMs) ? giveBack(ctx, input) : answer;
}

/** @param decidedMs - monotonic time of the decision */
export function isStalePermission({ clock }: CoreContext, decidedMs: number): boolean {
  return clock.monotonic() - decidedMs > PERMISSION_MS;
}

/** No INVITE was sent, so this is no attempt, unless the call was ended in the meantime, which counted it as one. */
async function giveBack(ctx: CoreContext, { callId, fence }: Asker): Promise<DialAuthorization> {
  const detail = { reason: 'internal_error' } as const;
  await recordCallEvent(ctx, { callId, event: 'failed', at: now(ctx), detail, fence });
  return { isAllowed: false, reason: 'too_late' };
}

/** @returns null when the call may begin now; no other call of the trunk may begin within its interval then */
export async function waitForTurn(
  tx: Tx,
  { trunkId, isPaced }: Pick<DialRow, 'trunkId' | 'isPaced'>,
): Promise<number | null> {
  if (trunkId === null || !isPaced) return null;
  // The second statement sees the result of the first.
  const [taken, [turn]] = await sendTogether(tx, [
    (tx) => tx.query(takeTurn, [trunkId]),
    (tx) => tx.query(findTurn, [trunkId]),
  ]);
  return taken.length > 0 ? null : (turn?.waitMs ?? null);
}

async function refuse(
  ctx: CoreContext,
  tx: Transaction,
  callId: number,
  reason: DialObstacle,
): Promise<DialAuthorization> {
  const locked = await lockCall(tx, callId);
  const fact = { event: 'failed', at: now(ctx), detail: { reason } } as const;
  if (locked) await applyCallEvent(ctx, tx, locked, fact);
  return { isAllowed: false, reason };
}

function refusalOf(row: DialRow | undefined, { fence }: Asker): DialRefusal | null {
  if (!row) return 'over';
  if (row.voiceProcessId !== fence.processId || !row.isLeased) return 'fenced';
  if (row.inviteSentAt !== null) return 'already_sent';
  return row.hangUpRequestedAt === null ? null : 'hang_up_requested';
}
