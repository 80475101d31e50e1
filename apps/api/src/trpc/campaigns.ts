/** Campaigns and their imports for the admin app, in the records of the public API. Files are uploaded through `lead-files.ts`. */
import { campaignChangesBody, forecastBody, newCampaignBody } from '@parley/contracts';
import {
  createCampaign,
  deleteCampaign,
  DomainError,
  findCampaign,
  forecastCampaign,
  listCampaigns,
  listImports,
  listProgress,
  measurePace,
  readColumns,
  startCampaign,
  stopCampaign,
  undoImport,
  updateCampaign,
} from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const byId = z.object({ id: z.int() });
/** The first 32 KiB of a file in base64, enough for its header row. */
const MAX_FILE_START = 44 * 1024;

/** `campaigns.*`: the user's own. */
export const campaigns = router({
  list: userProcedure.query(({ ctx }) => listCampaigns(ctx.core, ctx.session)),

  progress: userProcedure.query(({ ctx }) => listProgress(ctx.core, ctx.session)),

  get: userProcedure.input(byId).query(({ ctx, input }) => findCampaign(ctx.core, ctx.session, input.id)),

  create: userProcedure
    .input(newCampaignBody)
    .mutation(({ ctx, input }) => createCampaign(ctx.core, ctx.session, input)),

  update: userProcedure
    .input(byId.extend({ changes: campaignChangesBody }))
    .mutation(({ ctx, input }) => updateCampaign(ctx.core, ctx.session, input)),

  remove: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await deleteCampaign(ctx.core, ctx.session, input.id);
    return {};
  }),

  forecast: userProcedure
    .input(byId.extend({ question: forecastBody }))
    .query(({ ctx, input }) => forecastCampaign(ctx.core, ctx.session, { ...input.question, id: input.id })),

  pace: userProcedure.input(byId).query(({ ctx, input }) => measurePace(ctx.core, ctx.session, input.id)),

  start: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    const result = await startCampaign(ctx.core, ctx.session, input.id);
    if (!result.isStarted) throw new DomainError('invalid', result.message);
    return { status: result.status };
  }),

  stop: userProcedure
    .input(byId.extend({ is_hanging_up: z.boolean() }))
    .mutation(({ ctx, input }) =>
      stopCampaign(ctx.core, ctx.session, { id: input.id, isHangingUp: input.is_hanging_up }),
    ),

  /** `id` is the campaign's. */
  imports: userProcedure.input(byId).query(({ ctx, input }) => listImports(ctx.core, ctx.session, input.id)),

  /** Changes nothing. A mutation, because the first part of a file is too long for a URL. */
  fileColumns: userProcedure
    .meta({ isAudited: false })
    .input(z.object({ start: z.base64().max(MAX_FILE_START) }))
    .mutation(({ input }) => readColumns(Buffer.from(input.start, 'base64'))),

  /** `id` is the import's. */
  undoImport: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    const { record, leadsKept } = await undoImport(ctx.core, ctx.session, input.id);
    return { removed: record.leads_removed, kept: leadsKept };
  }),
});
