/** The price list for the admin app, in the form of the public API. For operators: core refuses the others. */
import { priceListBody } from '@parley/contracts';
import { listPrices, readCurrency, setPrices } from '@parley/core';
import { router, userProcedure } from './procedures.ts';

/** `prices.*`: the whole list. */
export const prices = router({
  get: userProcedure.query(({ ctx }) => listPrices(ctx.core, ctx.session)),

  /** The currency of all amounts, for every user; null: the operator has set none. */
  currency: userProcedure.query(({ ctx }) => readCurrency(ctx.core)),

  set: userProcedure
    .input(priceListBody)
    .mutation(({ ctx, input }) => setPrices(ctx.core, ctx.session, input)),
});
