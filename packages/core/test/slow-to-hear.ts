/** A process that hears late what core has decided: it was frozen, or cut off from the database. */
import type { Clock } from '@parley/runtime';
import type { CoreContext } from '../src/index.ts';

/** Three seconds pass between the decision and the moment at which the asker hears of it. */
export function slowToHear(ctx: CoreContext, meanwhile: () => Promise<void> = async () => {}): CoreContext {
  let laterMs = 0;
  const clock: Clock = {
    now: () => ctx.clock.now(),
    monotonic: () => ctx.clock.monotonic() + laterMs,
    after: (delayMs, callback) => ctx.clock.after(delayMs, callback),
  };
  const transaction: CoreContext['db']['transaction'] = async (work) => {
    const result = await ctx.db.transaction(work);
    if (laterMs === 0) await meanwhile();
    laterMs = 3_000;
    return result;
  };
  return { ...ctx, clock, db: { ...ctx.db, transaction } };
}
