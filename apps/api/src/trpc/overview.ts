/** The figures of the overview, and the health of the installation. */
import { countCallsByDay, listTrunks, measureSilenceByDay, readProcessHealth } from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const MOST_DAYS = 90;

/** The period, and the campaign whose calls are counted; without it, all calls. */
const dayQuestion = z
  .object({ days: z.int().positive().max(MOST_DAYS), campaign_id: z.int().optional() })
  .transform(({ days, campaign_id: campaignId }) => ({ days, campaignId }));

/** `overview.*`: calls are the user's own; processes are of the whole installation. */
export const overview = router({
  calls: userProcedure
    .input(dayQuestion)
    .query(({ ctx, input }) => countCallsByDay(ctx.core, ctx.session, input)),

  silence: userProcedure
    .input(dayQuestion)
    .query(({ ctx, input }) => measureSilenceByDay(ctx.core, ctx.session, input)),

  health: userProcedure.query(async ({ ctx }) => {
    const [processes, trunks] = await Promise.all([
      readProcessHealth(ctx.core),
      listTrunks(ctx.core, ctx.session),
    ]);
    return { processes, trunks: trunks.map(({ id, name, health }) => ({ id, name, state: health.state })) };
  }),
});
