/**
 * A call of a campaign has ended, so there is room for another one. The transaction that ends the call notes it; once
 * that is committed, the process fills the campaign, and calls that end meanwhile are served by one more fill. A note
 * that its process did not live to see served is found by the sweep.
 */
import { statement, type Transaction } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { fillCampaign, type Refill } from './fill-campaign.ts';

/** A note is somebody's who died after this long. */
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

/** Run by the sweep, anywhere and any number of times. */
export async function refillForgottenCampaigns(ctx: CoreContext): Promise<void> {
  for (const { campaignId } of await ctx.db.query(selectForgotten)) await refillCampaign(ctx, { campaignId });
}

/** The call has ended whatever becomes of this. What goes wrong leaves the note where it was. */
function refillCampaign(ctx: CoreContext, refill: Refill): Promise<void> {
  const { campaignId } = refill;
  return ctx.fills.run(campaignId, () =>
    fillCampaign(ctx, refill).catch((error: unknown) =>
      ctx.log.error({ err: error, campaignId }, 'A campaign could not be refilled; the sweep tries again'),
    ),
  );
}
