/** Accounts at providers for the admin app, in the records of the public API. Members may read; core refuses everything else. */
import { newProviderBody, providerChangesBody } from '@parley/contracts';
import { changeProvider, checkProvider, createProvider, listProviders, removeProvider } from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const byId = z.object({ id: z.int() });

/** `providers.*`: shared by all users. */
export const providers = router({
  list: userProcedure.query(({ ctx }) => listProviders(ctx.core, ctx.session)),

  create: userProcedure
    .input(newProviderBody)
    .mutation(({ ctx, input }) => createProvider(ctx.core, ctx.session, input)),

  update: userProcedure
    .input(providerChangesBody.extend(byId.shape))
    .mutation(({ ctx, input }) => changeProvider(ctx.core, ctx.session, input)),

  /** Tests the key at the provider, and waits for its answer. */
  check: userProcedure
    .meta({ isAudited: false })
    .input(byId)
    .mutation(({ ctx, input }) => checkProvider(ctx.core, ctx.session, input.id)),

  remove: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await removeProvider(ctx.core, ctx.session, input.id);
    return {};
  }),
});
