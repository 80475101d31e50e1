/** Leads for the admin app: one page of them, and the reasons for the calls of one. In the records of the public API. */
import { leadStatuses } from '@parley/contracts';
import { explainLead, listLeads } from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const MOST_PER_PAGE = 100;

const leadsInput = z.object({
  campaign_id: z.int(),
  status: z.enum(leadStatuses).optional(),
  /** A part of the number. */
  phone_number: z.string().max(64).optional(),
  page: z.int().positive(),
  per_page: z.int().positive().max(MOST_PER_PAGE),
});

/** `leads.*`: the user's own. */
export const leads = router({
  list: userProcedure.input(leadsInput).query(({ ctx, input }) =>
    listLeads(ctx.core, ctx.session, {
      campaignId: input.campaign_id,
      status: input.status,
      phoneNumber: input.phone_number,
      page: input.page,
      perPage: input.per_page,
    }),
  ),

  explain: userProcedure
    .input(z.object({ id: z.int() }))
    .query(({ ctx, input }) => explainLead(ctx.core, ctx.session, input.id)),
});
