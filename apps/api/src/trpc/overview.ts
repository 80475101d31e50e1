/** The figures of the overview, and the health of the installation. */
import { countCallsByDay, listTrunks, readProcessHealth } from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const MOST_DAYS = 90;

/** `overview.*`: calls are the user's own; processes are of the whole installation. */
export const overview = router({
  calls: userProcedure
    .input(z.object({ days: z.int().positive().max(MOST_DAYS) }))
    .query(({ ctx, input }) => countCallsByDay(ctx.core, ctx.session, input.days)),

  health: userProcedure.query(async ({ ctx }) => {
    const [processes, trunks] = await Promise.all([
      readProcessHealth(ctx.core),
      listTrunks(ctx.core, ctx.session),
    ]);
    return { processes, trunks: trunks.map(({ id, name, health }) => ({ id, name, state: health.state })) };
  }),
});
