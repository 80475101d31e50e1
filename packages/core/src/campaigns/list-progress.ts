/** How far each campaign of a user is, from the counts of its leads (docs/decisions/lead-counts.md). */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';

/** Main leads, as the progress of one campaign counts them. */
export interface CampaignLeads {
  id: number;
  leads: number;
  completed: number;
  reached_max_retries: number;
}

const sumLeads = statement<{ id: number; leads: number; completed: number; reachedMaxRetries: number }>(
  'list_campaign_progress',
  `select id, sum(leads)::int as leads, sum(completed)::int as completed,
     sum(reached_max_retries)::int as reached_max_retries
   from (
     select campaign_id, leads, completed, reached_max_retries from lead_counts
     union all
     select campaign_id, leads, completed, reached_max_retries from lead_count_changes
   ) counted join campaigns on id = campaign_id
   where user_id = $1 and deleted_at is null group by id having sum(leads) > 0 order by id desc`,
);

/** A campaign without leads is absent. */
export async function listProgress(ctx: CoreContext, { userId }: Identity): Promise<CampaignLeads[]> {
  const rows = await ctx.db.query(sumLeads, [userId]);
  return rows.map(({ reachedMaxRetries, ...same }) => ({ ...same, reached_max_retries: reachedMaxRetries }));
}
