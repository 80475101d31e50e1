/** Adds the noted changes of leads to the counts of their campaigns: docs/decisions/lead-counts.md. */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';

/** After an upgrade from a version that did not count. */
const findUncounted = statement<{ isUncounted: boolean }>(
  'find_uncounted_leads',
  `select not exists (select 1 from lead_counts) and exists (select 1 from leads where parent_id is null) as is_uncounted`,
);
const recountLeads = statement('recount_leads', 'select parley_recount_leads()');

/** One statement changes both, so readers see either the notes or their sum. Notes of removed campaigns are dropped. */
const foldCounts = statement(
  'fold_lead_counts',
  `with noted as (delete from lead_count_changes returning *)
   insert into lead_counts as c (campaign_id, leads, completed, reached_max_retries)
   select campaign_id, sum(leads), sum(completed), sum(reached_max_retries)
   from noted join campaigns on campaigns.id = noted.campaign_id group by campaign_id order by campaign_id
   on conflict (campaign_id) do update set leads = c.leads + excluded.leads,
     completed = c.completed + excluded.completed,
     reached_max_retries = c.reached_max_retries + excluded.reached_max_retries`,
);

/** May run at any time and in several workers: the statement that adds a note also removes it. */
export async function foldLeadCounts(ctx: CoreContext): Promise<void> {
  const [found] = await ctx.db.query(findUncounted);
  if (found?.isUncounted) await ctx.db.query(recountLeads);
  await ctx.db.query(foldCounts);
}
