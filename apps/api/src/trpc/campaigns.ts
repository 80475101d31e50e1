/** Campaigns and their imports for the admin app, in the records of the public API. Files go over `lead-files.ts`. */
import { findCampaign, listCampaigns, listImports, undoImport } from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const byId = z.object({ id: z.int() });

/** `campaigns.*`: the user's own. */
export const campaigns = router({
  list: userProcedure.query(({ ctx }) => listCampaigns(ctx.core, ctx.session)),

  get: userProcedure.input(byId).query(({ ctx, input }) => findCampaign(ctx.core, ctx.session, input.id)),

  /** `id` is the campaign's. */
  imports: userProcedure.input(byId).query(({ ctx, input }) => listImports(ctx.core, ctx.session, input.id)),

  /** `id` is the import's. */
  undoImport: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    const { record, leadsKept } = await undoImport(ctx.core, ctx.session, input.id);
    return { removed: record.leads_removed, kept: leadsKept };
  }),
});
