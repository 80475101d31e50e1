/** Removes entries of the API log whose retention period is over. SQL, because it is a sweep. */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';

const BATCH = 5000;

const removeBatch = statement<{ id: number }>(
  'remove_old_api_requests',
  `delete from api_requests where id in (select id from api_requests where at < $1 order by at limit ${BATCH}) returning id`,
);
const countOld = statement<{ count: number }>(
  'count_old_api_requests',
  'select count(*) as count from api_requests where at < $1',
);

/** What {@link removeOldApiRequests} would remove now. */
export async function countOldApiRequests(ctx: CoreContext, before: Date): Promise<number> {
  const [row] = await ctx.db.query(countOld, [before]);
  return row?.count ?? 0;
}

/** In batches. May run twice, and may be interrupted. */
export async function removeOldApiRequests(ctx: CoreContext, before: Date): Promise<number> {
  for (let total = 0; ;) {
    const { length } = await ctx.db.query(removeBatch, [before]);
    total += length;
    if (length < BATCH) return total;
  }
}
