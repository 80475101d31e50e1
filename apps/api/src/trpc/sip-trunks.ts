/** SIP trunks for the admin app, in the records of the public API. */
import { newTrunkBody, trunkChangesBody } from '@parley/contracts';
import { addTrunk, changeTrunk, listTrunks, removeTrunk } from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const byId = z.object({ id: z.int() });

/** `sipTrunks.*`: the user's own and the shared ones. */
export const sipTrunks = router({
  list: userProcedure.query(({ ctx }) => listTrunks(ctx.core, ctx.session)),

  create: userProcedure
    .input(newTrunkBody)
    .mutation(({ ctx, input }) => addTrunk(ctx.core, ctx.session, input)),

  update: userProcedure
    .input(trunkChangesBody.extend(byId.shape))
    .mutation(({ ctx, input }) => changeTrunk(ctx.core, ctx.session, input)),

  /** Writes nothing. */
  diagnose: userProcedure
    .meta({ isAudited: false })
    .input(byId)
    .mutation(({ ctx, input }) =>
      ctx.diagnoseTrunk(ctx.core, ctx.session, { trunkId: input.id, callId: null }),
    ),

  remove: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await removeTrunk(ctx.core, ctx.session, input.id);
    return {};
  }),
});
