/**
 * Removes settled deliveries and their attempts after the retention period. Pending ones stay. SQL, because it is a
 * sweep.
 */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';

const BATCH = 1_000;
const DAY_MS = 24 * 3600 * 1000;

const removeSettled = statement<{ id: string }>(
  'remove_settled_deliveries',
  `delete from deliveries where id in (
     select id from deliveries where settled_at is not null and settled_at < $1 order by settled_at limit ${BATCH}
   ) and settled_at is not null returning id`,
);

const countSettled = statement<{ count: number }>(
  'count_settled_deliveries',
  `select count(*) as count from deliveries where settled_at < $1`,
);

/** What {@link removeOldDeliveries} would remove now. */
export async function countOldDeliveries(ctx: CoreContext, keptDays: number): Promise<number> {
  const [row] = await ctx.db.query(countSettled, [limitOf(ctx, keptDays)]);
  return row?.count ?? 0;
}

/**
 * @param keptDays - days between the end of a delivery and its removal; 0: without limit
 * @returns the number of removed deliveries
 */
export async function removeOldDeliveries(ctx: CoreContext, keptDays: number): Promise<number> {
  const before = limitOf(ctx, keptDays);
  let removed = 0;
  for (;;) {
    const { length } = await ctx.db.query(removeSettled, [before]);
    removed += length;
    if (length < BATCH) return removed;
  }
}

function limitOf({ clock }: CoreContext, keptDays: number): Date {
  return new Date(keptDays === 0 ? 0 : clock.now() - keptDays * DAY_MS);
}
