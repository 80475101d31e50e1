/** Two requests at the same time, in an order that does not depend on the machine. */
import { statement } from '@parley/db';
import type { CoreContext } from '../src/index.ts';

const countWaiting = statement<{ waiting: number }>(
  '',
  `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);

/**
 * Commits the first request when the second one has ended or waits for a lock.
 *
 * @returns whether the second one succeeded, or its error
 */
export async function overlapping(
  ctx: CoreContext,
  first: (ctx: CoreContext) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<unknown> {
  const state = { isOver: false };
  let ended: Promise<unknown> | undefined;
  await ctx.db.transaction(async (tx) => {
    const query = tx.query.bind(tx);
    await first({ ...ctx, db: { ...ctx.db, query, transaction: tx.join.bind(tx), em: tx.em } });
    ended = second()
      .then(
        () => 'succeeded',
        (error: unknown) => error,
      )
      .finally(() => {
        state.isOver = true;
      });
    for (let waiting = 0; waiting === 0 && !state.isOver;)
      waiting = (await ctx.db.query(countWaiting))[0]?.waiting ?? 0;
  });
  return ended;
}
