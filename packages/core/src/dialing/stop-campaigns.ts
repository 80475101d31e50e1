/** Stops all campaigns of an account, of an assistant, or that an API token has started last. */
import { Campaign, LockMode, type Transaction } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import { applyCampaignEvent } from './campaign-status.ts';

const IN_LOCK_ORDER = { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/**
 * Locks all of them, also those that are not running: a concurrent start must finish first. Calls that were dialed already
 * go on.
 */
export async function stopCampaigns(
  ctx: CoreContext,
  tx: Transaction,
  of: { userId: number; assistantId?: number; tokenId?: number },
): Promise<void> {
  for (const campaign of await tx.em.find(Campaign, of, IN_LOCK_ORDER)) {
    const before = campaign.status;
    if (applyCampaignEvent(ctx, campaign, 'stop') !== before) await wakeCampaign(tx, campaign.id);
  }
}
