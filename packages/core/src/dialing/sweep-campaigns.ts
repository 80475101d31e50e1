/**
 * Once a minute wakes the campaigns that have something to do. Usually their own jobs and refills have done it already;
 * the sweep repairs what a killed process has left.
 */
import { statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { isDisarmed } from '../capacity/disarmed.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

/** Campaigns in progress with due leads or an empty queue, and stopped ones with unanswered calls. */
const selectBusy = statement<{ id: number }>(
  'campaigns_to_wake',
  `select c.id from campaigns c
   where c.status = 'in-progress' and c.deleted_at is null and coalesce(
     (select q.ready_at from dial_queue q where q.campaign_id = c.id order by q.ready_at limit 1), $1) <= $1
   union
   select c.id from live_calls l join campaigns c on c.id = l.campaign_id
   where l.answered_at is null and l.hang_up_requested_at is null
     and (c.status = 'stopped' or c.deleted_at is not null)`,
);

const DISARMED =
  'This installation is a restored copy: it neither dials nor posts webhooks until it is armed (npm run -s cli -- arm)';

/** May run several times, in any process. */
export async function sweepCampaigns(ctx: CoreContext): Promise<void> {
  if (await isDisarmed(ctx.db)) ctx.log.warn(DISARMED);
  for (const { id } of await ctx.db.query(selectBusy, [now(ctx)])) {
    await ctx.db.transaction((tx) => wakeCampaign(tx, id));
  }
}
