/** Accounts at providers for the admin app, in the records of the public API. Members may look; core refuses the rest. */
import { newProviderBody, providerChangesBody } from '@parley/contracts';
import { changeProvider, checkProvider, createProvider, listProviders, removeProvider } from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const byId = z.object({ id: z.int() });

/** `providers.*`: shared by everybody. */
export const providers = router({
  list: userProcedure.query(({ ctx }) => listProviders(ctx.core, ctx.session)),

  create: userProcedure
    .input(newProviderBody)
    .mutation(({ ctx, input }) => createProvider(ctx.core, ctx.session, input)),

  update: userProcedure
    .input(providerChangesBody.extend(byId.shape))
    .mutation(({ ctx, input }) => changeProvider(ctx.core, ctx.session, input)),

  /** Asks the provider itself, and waits for what it says. */
  check: userProcedure
    .input(byId)
    .mutation(({ ctx, input }) => checkProvider(ctx.core, ctx.session, input.id)),

  remove: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await removeProvider(ctx.core, ctx.session, input.id);
    return {};
  }),
});
