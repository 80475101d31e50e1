/**
 * Records how the calls of a trunk begin, and pauses a trunk whose calls mostly fail. The outcomes of healthy trunks
 * are rows of their own, so that calls do not wait for each other before a trunk has failures.
 */
import type { EndReason } from '@parley/contracts';
import { statement, type LiveCallRow, type TrunkRow, type Tx } from '@parley/db';
import { wakeNextHeld } from './campaign-hold.ts';
import { now, type CoreContext } from '../context.ts';
import { isTrunkFault } from '../shared/end-reason.rules.ts';
import {
  healthAfter,
  OUTCOME_MEMORY_MS,
  OUTCOMES_JUDGED,
  type RecentOutcomes,
} from './trunk-health.rules.ts';

type HealthRow = Pick<TrunkRow, 'id' | 'userId' | 'pausedUntil' | 'pauseSeconds'>;

/** A pause of a trunk that has just begun. */
export interface TrunkPause {
  trunkId: number;
  /** Null: a shared trunk. */
  userId: number | null;
  pausedUntil: Date;
}

const insertOutcome = statement(
  'note_trunk_outcome',
  `insert into trunk_outcomes (trunk_id, call_id, at, is_fault) values ($1, $2, $3, $4) on conflict do nothing`,
);
const selectSuccess = statement<{ isPaused: boolean; isProven: boolean }>(
  'trunk_success',
  `select pause_seconds > 0 as is_paused, first_success_at is not null as is_proven from trunks where id = $1`,
);
const writeFirstSuccess = statement(
  'write_first_trunk_success',
  `update trunks set first_success_at = $2 where id = $1 and first_success_at is null`,
);
const lockHealth = statement<HealthRow>(
  'lock_trunk_health',
  `select id, user_id, paused_until, pause_seconds from trunks where id = $1 for no key update`,
);
const countRecent = statement<RecentOutcomes>(
  'recent_trunk_outcomes',
  `select count(*) as calls, count(*) filter (where is_fault) as faults from (
     select is_fault from trunk_outcomes where trunk_id = $1 and at > $2 order by at desc, call_id desc limit $3) recent`,
);
const writeHealth = statement(
  'write_trunk_health',
  `update trunks set paused_until = $2, pause_seconds = $3 where id = $1`,
);
const forget = statement('forget_trunk_outcomes', `delete from trunk_outcomes where trunk_id = $1`);
const forgetOld = statement('forget_old_trunk_outcomes', `delete from trunk_outcomes where at < $1`);

/**
 * @param end - `reason`: why the call was not answered; null: it was answered
 * @returns the pause of the trunk that the outcome has caused
 */
export async function noteTrunkOutcome(
  ctx: CoreContext,
  tx: Tx,
  { live, reason }: { live: LiveCallRow | null; reason: EndReason | null },
): Promise<TrunkPause | null> {
  // An answered call was recorded at its answer.
  if (live?.trunkId == null || live.type !== 'outbound' || live.answeredAt !== null) return null;
  // Without an INVITE, only a host without an address says something about the trunk.
  if (live.inviteSentAt === null && reason !== 'unreachable') return null;
  const at = now(ctx);
  const { trunkId, callId } = live;
  const sentAt = live.inviteSentAt ?? at;
  const isFault = reason !== null && isTrunkFault(reason);
  await tx.query(insertOutcome, [trunkId, callId, at, isFault]);
  if (!isFault && !(await noteSuccess(tx, trunkId, at))) return null;
  return judge(ctx, tx, { trunkId, isFault, sentAt, at });
}

/** Writes the first success of a trunk. @returns whether the trunk has a pause that this success may end */
async function noteSuccess(tx: Tx, trunkId: number, at: Date): Promise<boolean> {
  const [trunk] = await tx.query(selectSuccess, [trunkId]);
  if (trunk?.isProven === false) await tx.query(writeFirstSuccess, [trunkId, at]);
  return trunk?.isPaused === true;
}

async function judge(
  ctx: CoreContext,
  tx: Tx,
  outcome: { trunkId: number; isFault: boolean; sentAt: Date; at: Date },
): Promise<TrunkPause | null> {
  const { trunkId, at } = outcome;
  const [health] = await tx.query(lockHealth, [trunkId]);
  const since = new Date(at.getTime() - OUTCOME_MEMORY_MS);
  const [recent] = await tx.query(countRecent, [trunkId, since, OUTCOMES_JUDGED]);
  const after = health && recent ? healthAfter(health, outcome, { recent, now: at }) : null;
  if (!health || !after) return null;
  await tx.query(writeHealth, [trunkId, after.pausedUntil, after.pauseSeconds]);
  // Outcomes from before the pause no longer count.
  await tx.query(forget, [trunkId]);
  const { pauseSeconds } = after;
  if (pauseSeconds > 0)
    ctx.log.error({ trunkId, pauseSeconds }, 'A SIP trunk fails most calls and is paused');
  else ctx.log.info({ trunkId }, 'A SIP trunk carries calls again');
  if (pauseSeconds === 0) await wakeNextHeld(tx, [`trunk:${trunkId}`]);
  const { pausedUntil } = after;
  return pausedUntil && { trunkId, userId: health.userId, pausedUntil };
}

/** Run by the sweep. */
export async function forgetOldOutcomes(ctx: CoreContext): Promise<void> {
  await ctx.db.query(forgetOld, [new Date(ctx.clock.now() - OUTCOME_MEMORY_MS)]);
}
