/** Leads for the admin app: a list, one lead with the reasons for its calls, and changes. */
import { callOutcomes, leadChangesBody, leadStates, newLeadBody } from '@parley/contracts';
import {
  createLead,
  deleteLead,
  explainLead,
  findLeadSummary,
  listLeadSummaries,
  updateLead,
} from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const MOST_PER_PAGE = 100;

const byId = z.object({ id: z.int() });

const leadsInput = z.object({
  campaign_id: z.int().optional(),
  state: z.enum(leadStates).optional(),
  outcome: z.enum(callOutcomes).optional(),
  /** A part of the number. */
  phone_number: z.string().max(64).optional(),
  page: z.int().positive(),
  per_page: z.int().positive().max(MOST_PER_PAGE),
});

/** `leads.*`: the user's own. */
export const leads = router({
  list: userProcedure.input(leadsInput).query(({ ctx, input }) =>
    listLeadSummaries(ctx.core, ctx.session, {
      campaignId: input.campaign_id,
      state: input.state,
      outcome: input.outcome,
      phoneNumber: input.phone_number,
      page: input.page,
      perPage: input.per_page,
    }),
  ),

  get: userProcedure.input(byId).query(({ ctx, input }) => findLeadSummary(ctx.core, ctx.session, input.id)),

  explain: userProcedure.input(byId).query(({ ctx, input }) => explainLead(ctx.core, ctx.session, input.id)),

  create: userProcedure
    .input(newLeadBody)
    .mutation(({ ctx, input }) => createLead(ctx.core, ctx.session, input)),

  update: userProcedure.input(byId.extend({ changes: leadChangesBody })).mutation(async ({ ctx, input }) => {
    await updateLead(ctx.core, ctx.session, input);
    return {};
  }),

  remove: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await deleteLead(ctx.core, ctx.session, input.id);
    return {};
  }),
});
