/** Adds the noted changes of settled calls to the counts, so that lists sum few rows: docs/decisions/call-counts.md. */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';

/** One statement changes both, so readers see either the notes or their sum. */
const foldCounts = statement(
  'fold_call_counts',
  `with noted as (
     delete from call_count_changes returning *
   ), sums as (
     select user_id, day, status, type, assistant_id, campaign_id, outcome, sum(change) as change
     from noted group by 1, 2, 3, 4, 5, 6, 7
   ), cells as (
     insert into call_counts as c (user_id, day, status, type, assistant_id, campaign_id, outcome, count)
     select * from sums where change <> 0 order by 1, 2, 3, 4, 5, 6, 7
     on conflict (user_id, day, status, type, assistant_id, campaign_id, outcome)
       do update set count = c.count + excluded.count
   )
   insert into call_day_counts as d (user_id, day, count)
   select user_id, day, sum(change) from sums group by 1, 2 having sum(change) <> 0 order by 1, 2
   on conflict (user_id, day) do update set count = d.count + excluded.count`,
);

/** May run at any time and in several workers: the statement that adds a note also removes it. */
export async function foldCallCounts(ctx: CoreContext): Promise<void> {
  await ctx.db.query(foldCounts);
}
