/** The price list for the admin app, in the form of the public API. For operators: core refuses the others. */
import { priceListBody } from '@parley/contracts';
import { listPrices, setPrices } from '@parley/core';
import { router, userProcedure } from './procedures.ts';

/** `prices.*`: the whole list. */
export const prices = router({
  get: userProcedure.query(({ ctx }) => listPrices(ctx.core, ctx.session)),

  set: userProcedure
    .input(priceListBody)
    .mutation(({ ctx, input }) => setPrices(ctx.core, ctx.session, input)),
});
