/**
 * A call of a campaign has ended: its slot is filled in the very transaction that ends it. Where several end at once,
 * one of them does so; the others leave theirs to the campaign's one job, which fills all of them in one go, instead of
 * queueing up for the campaign's lock.
 */
import { isUniqueViolation, statement, type Tx } from '@parley/db';
import { ONE_CALL_PER_NUMBER } from '../calls/insert-call.ts';
import type { CoreContext } from '../context.ts';
import { shareCampaign } from './campaign-rows.ts';
import { fillCampaign } from './fill-campaign.ts';
import { wakeCampaign } from './wake-campaign.ts';

const beginRefill = statement('begin_refill', 'savepoint refill');
const keepRefill = statement('keep_refill', 'release savepoint refill');
const undoRefill = statement('undo_refill', 'rollback to savepoint refill');

const tryRefill = statement<{ isMine: boolean }>(
  'try_refill',
  `select pg_try_advisory_xact_lock(hashtextextended('refill:' || $1, 0)) as is_mine`,
);

/** @returns true for one of those whose calls end at this moment: it may {@link refillCampaign} */
export async function mayRefill(tx: Tx, campaignId: number): Promise<boolean> {
  const [answer] = await tx.query(tryRefill, [campaignId]);
  return answer?.isMine === true;
}

/**
 * For everybody else. The share of the lock keeps a fill from planning its next look over this one.
 *
 * @param first - another campaign that has waited for the place
 */
export async function leaveRefill(tx: Tx, campaignId: number, first?: number): Promise<void> {
  await shareCampaign(tx, campaignId);
  if (first !== undefined) await wakeCampaign(tx, first);
  await wakeCampaign(tx, campaignId);
}

/**
 * Whatever goes wrong with the refill must not keep the call from ending, so it is undone and left to the job.
 */
export async function refillCampaign(ctx: CoreContext, tx: Tx, campaignId: number): Promise<void> {
  await tx.query(beginRefill);
  try {
    await fillCampaign(ctx, tx, campaignId);
    await tx.query(keepRefill);
  } catch (error) {
    await tx.query(undoRefill);
    if (!isUniqueViolation(error, ONE_CALL_PER_NUMBER)) {
      ctx.log.error({ err: error, campaignId }, 'A campaign could not be refilled; its job tries again');
    }
    await wakeCampaign(tx, campaignId);
  }
}
