/** How long data is kept, for the admin app. For operators: core refuses the others. */
import { previewRetention, readRetentionPeriods } from '@parley/core';
import { router, userProcedure } from './procedures.ts';

/** `retention.*`: of the whole installation. */
export const retention = router({
  periods: userProcedure.query(({ ctx }) => readRetentionPeriods(ctx.session, ctx.retention)),

  /** With what the next nightly run removes. */
  preview: userProcedure.query(({ ctx }) => previewRetention(ctx.core, ctx.session, ctx.retention)),
});
