/** The country of the account's national numbers, for the admin app's forms that read numbers. */
import { changeNumberCountry, findNumberCountry } from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

/** `numberCountry.*`: the user's own. */
export const numberCountry = router({
  get: userProcedure.query(({ ctx }) => findNumberCountry(ctx.core, ctx.session)),

  change: userProcedure
    .input(z.object({ country: z.string().max(2).nullable() }))
    .mutation(async ({ ctx, input }) => {
      await changeNumberCountry(ctx.core, ctx.session, input.country);
      return {};
    }),
});
