/** What may be dialed, for the admin app. For operators: core refuses the others. */
import { dialPolicyBody } from '@parley/contracts';
import { changeDialPolicy, readDialPolicy } from '@parley/core';
import { router, userProcedure } from './procedures.ts';

/** `dialPolicy.*`: the settings of the whole installation. */
export const dialPolicy = router({
  get: userProcedure.query(({ ctx }) => readDialPolicy(ctx.core, ctx.session)),

  update: userProcedure
    .input(dialPolicyBody)
    .mutation(({ ctx, input }) => changeDialPolicy(ctx.core, ctx.session, input)),
});
