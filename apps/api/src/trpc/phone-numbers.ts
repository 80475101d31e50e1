/** Phone numbers for the admin app, in the records of the public API. */
import {
  inboundRouteBody,
  newNumberBody,
  numberChangesBody,
  numberSearchQuery,
  purchaseNumberBody,
} from '@parley/contracts';
import {
  addNumber,
  changeNumber,
  listOwnNumbers,
  purchaseNumber,
  removeInboundRoute,
  removeNumber,
  searchCarrierNumbers,
  setInboundRoute,
} from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

/** `phoneNumbers.*`: the user's own. */
export const phoneNumbers = router({
  list: userProcedure.query(({ ctx }) => listOwnNumbers(ctx.core, ctx.session)),

  create: userProcedure
    .input(newNumberBody)
    .mutation(({ ctx, input }) => addNumber(ctx.core, ctx.session, input)),

  /** Asks a carrier. */
  search: userProcedure
    .input(numberSearchQuery)
    .query(({ ctx, input }) => searchCarrierNumbers(ctx.core, ctx.session, input)),

  purchase: userProcedure
    .input(purchaseNumberBody)
    .mutation(({ ctx, input }) => purchaseNumber(ctx.core, ctx.session, input)),

  update: userProcedure
    .input(numberChangesBody.extend({ id: z.int() }))
    .mutation(({ ctx, input }) => changeNumber(ctx.core, ctx.session, input)),

  remove: userProcedure.input(z.object({ id: z.int() })).mutation(async ({ ctx, input }) => {
    await removeNumber(ctx.core, ctx.session, input.id);
    return {};
  }),

  setRoute: userProcedure
    .input(z.object({ id: z.int(), route: inboundRouteBody }))
    .mutation(({ ctx, input }) => setInboundRoute(ctx.core, ctx.session, input.id, input.route)),

  removeRoute: userProcedure.input(z.object({ id: z.int() })).mutation(async ({ ctx, input }) => {
    await removeInboundRoute(ctx.core, ctx.session, input.id);
    return {};
  }),
});
