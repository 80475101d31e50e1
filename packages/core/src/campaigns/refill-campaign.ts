/** A call of a campaign has ended: its slot is filled in the very transaction that ends it. */
import { isUniqueViolation, statement, type Tx } from '@parley/db';
import { ONE_CALL_PER_NUMBER } from '../calls/insert-call.ts';
import type { CoreContext } from '../context.ts';
import { fillCampaign } from './fill-campaign.ts';
import { wakeCampaign } from './wake-campaign.ts';

const beginRefill = statement('begin_refill', 'savepoint refill');
const keepRefill = statement('keep_refill', 'release savepoint refill');
const undoRefill = statement('undo_refill', 'rollback to savepoint refill');

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
