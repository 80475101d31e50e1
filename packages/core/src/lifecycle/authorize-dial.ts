/**
 * Step 5 of a call's way, the last moment before the INVITE: voice asks whether it may be sent. Whoever is told yes is
 * the only one, ever: of any number of askers one wins, and from then on the attempt counts.
 */
import { sendTogether, statement, type Transaction, type Tx } from '@parley/db';
import type { DialObstacle } from '../dialing/check-dial.ts';
import { countDial, lockDialUsage } from '../capacity/dial-usage.ts';
import { verdictOfUsage } from '../capacity/dial-usage.rules.ts';
import { now, type CoreContext } from '../context.ts';
import { applyCallEvent } from './apply-call-event.ts';
import { addCallEvent } from '../calls/call-events.ts';
import { findDialObstacle, type DialToCheck } from './find-dial-obstacle.ts';
import { lockCall } from '../calls/lock-call.ts';
import { recordCallEvent } from './record-call-event.ts';

/**
 * Why an INVITE must not leave. The first four leave the call as it is: it is over, or somebody else's. An obstacle ends
 * it as `failed` with that reason, which is no attempt; so does a permission that came too late.
 */
export type DialRefusal =
  | 'over'
  | 'fenced'
  | 'already_sent'
  | 'hang_up_requested'
  | 'too_late'
  | DialObstacle;

/** The answer to the last question before an INVITE. `wait`: its trunk may not begin another call yet; ask again then. */
export type DialAuthorization =
  | { isAllowed: true }
  | { isAllowed: false; reason: DialRefusal }
  | { isAllowed: false; reason: 'wait'; waitMs: number };

interface DialRow extends DialToCheck {
  callCreatedAt: Date;
  voiceProcessId: string | null;
  voiceEpoch: number | null;
  inviteSentAt: Date | null;
  hangUpRequestedAt: Date | null;
  isLeased: boolean;
  /** Its trunk begins only so many calls a second. */
  isPaced: boolean;
}

const lockDial = statement<DialRow>(
  'lock_dial',
  `select l.call_created_at, l.user_id, l.client_phone_number, l.trunk_id, l.campaign_id, l.lead_id, l.token_id,
     (select c.attempt from calls c where c.id = l.call_id and c.created_at = l.call_created_at) as attempt,
     l.voice_process_id, l.voice_epoch, l.invite_sent_at, l.hang_up_requested_at,
     exists (
       select 1 from voice_processes p where p.id = l.voice_process_id and p.epoch = l.voice_epoch and p.lease_until > now()
     ) as is_leased,
     exists (select 1 from trunks t where t.id = l.trunk_id and t.max_cps is not null) as is_paced
   from live_calls l where l.call_id = $1 for update`,
);
/** Takes the trunk's next turn; no row: it has not come yet, or the trunk has no rate. Turns are evenly spaced. */
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
  voiceProcessId: string;
  epoch: number;
}

/**
 * A permission is good for this long from the decision, milliseconds. A process that was frozen, or cut off from the
 * database, before it heard the answer may have been given up by the others since, so it must be well below the lease.
 */
const PERMISSION_MS = 2_000;

/** The intent must be this process's, its lease must hold, nobody may have been told yes or have asked for the end. */
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
    await sendTogether(tx, [
      (tx) => tx.query(markSent, [input.callId, at]),
      (tx) => addCallEvent(tx, { id: input.callId, createdAt: row.callCreatedAt }, { at, type: 'dialed' }),
      (tx) => countDial(ctx, tx, usages),
    ]);
    return { isAllowed: true };
  });
  return answer.isAllowed && isStalePermission(ctx, decidedMs) ? giveBack(ctx, input) : answer;
}

/** @param decidedMs - monotonic time of the decision */
export function isStalePermission({ clock }: CoreContext, decidedMs: number): boolean {
  return clock.monotonic() - decidedMs > PERMISSION_MS;
}

/** Nothing has left, so it was no attempt; unless others have ended the call meanwhile, who had to take it for one. */
async function giveBack(
  ctx: CoreContext,
  { callId, voiceProcessId, epoch }: Asker,
): Promise<DialAuthorization> {
  const fence = { processId: voiceProcessId, epoch };
  const detail = { reason: 'internal_error' } as const;
  await recordCallEvent(ctx, { callId, event: 'failed', at: now(ctx), detail, fence });
  return { isAllowed: false, reason: 'too_late' };
}

/** @returns null when it is this call's turn on its trunk; nobody else's is within the trunk's interval then */
export async function waitForTurn(
  tx: Tx,
  { trunkId, isPaced }: Pick<DialRow, 'trunkId' | 'isPaced'>,
): Promise<number | null> {
  if (trunkId === null || !isPaced) return null;
  // The second one sees what the first has done.
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

function refusalOf(row: DialRow | undefined, asker: Omit<Asker, 'callId'>): DialRefusal | null {
  if (!row) return 'over';
  const isIntended = row.voiceProcessId === asker.voiceProcessId && row.voiceEpoch === asker.epoch;
  if (!isIntended || !row.isLeased) return 'fenced';
  if (row.inviteSentAt !== null) return 'already_sent';
  return row.hangUpRequestedAt === null ? null : 'hang_up_requested';
}
