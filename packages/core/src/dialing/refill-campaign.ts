/**
 * Refills a campaign after one of its calls has ended. The transaction that ends the call inserts a wake; once it is
 * committed, the process fills the campaign. Calls that end during a fill are followed by one more fill. If the process
 * is killed before that, the sweep finds the wake.
 */
import { statement, type Transaction } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { fillCampaign, type Refill } from './fill-campaign.ts';

/** A wake of this age belongs to a process that was killed. */
const FORGOTTEN_AFTER = '1 second';

const noteWakes = statement(
  'note_campaign_wakes',
  `insert into campaign_wakes (campaign_id, at) select id, clock_timestamp() from unnest($1::bigint[]) as ids (id)`,
);
const selectForgotten = statement<{ campaignId: number }>(
  'forgotten_campaign_wakes',
  `select distinct campaign_id from campaign_wakes where at < clock_timestamp() - interval '${FORGOTTEN_AFTER}'`,
);

/** Fills the campaigns one after the other, once the transaction is committed. */
export async function askForRefill(
  ctx: CoreContext,
  tx: Transaction,
  refills: readonly Refill[],
): Promise<void> {
  if (refills.length === 0) return;
  for (const refill of refills) tx.afterCommit(() => refillCampaign(ctx, refill));
  await tx.query(noteWakes, [refills.map(({ campaignId }) => campaignId)]);
}

/** Run by the sweep. May run several times, in any process. */
export async function refillForgottenCampaigns(ctx: CoreContext): Promise<void> {
  for (const { campaignId } of await ctx.db.query(selectForgotten)) await refillCampaign(ctx, { campaignId });
}

/** A failure is only logged, because the end of the call is committed; the wake stays for the sweep. */
function refillCampaign(ctx: CoreContext, refill: Refill): Promise<void> {
  const { campaignId } = refill;
  return ctx.fills.run(campaignId, () =>
    fillCampaign(ctx, refill).catch((error: unknown) =>
      ctx.log.error({ err: error, campaignId }, 'A campaign could not be refilled; the sweep tries again'),
    ),
  );
}
