/** Leads for the admin app: a list, one lead with the reasons for its calls, and changes. */
import { callOutcomes, leadChangesBody, leadStates, newLeadBody } from '@parley/contracts';
import {
  changeLeads,
  createLead,
  deleteLead,
  explainLead,
  findLeadOfCall,
  findLeadSummary,
  listLeadSummaries,
  updateLead,
  type LeadFilters,
} from '@parley/core';
import { z } from 'zod';
import { OpenStreams } from '../http/open-streams.ts';
import { router, userProcedure } from './procedures.ts';

const MOST_PER_PAGE = 100;

const byId = z.object({ id: z.int() });

/** The filters of the list, also in the query of its export. */
export const leadFilters = z.object({
  campaign_id: z.coerce.number().int().optional(),
  state: z.enum(leadStates).optional(),
  outcome: z.enum(callOutcomes).optional(),
  /** A part of the number. */
  phone_number: z.string().max(64).optional(),
});

const leadsInput = leadFilters.extend({
  page: z.int().positive(),
  per_page: z.int().positive().max(MOST_PER_PAGE),
});

/** Leads changed in one request. */
const MOST_CHANGED = 100;
/**
 * Concurrent changes of one user. A request of some hundred bytes makes a hundred transactions; the admin app sends
 * one after the other.
 */
const changes = new OpenStreams(2, 'changes of many leads');

const changeManyInput = z.object({
  selection: z.union([
    z.strictObject({ ids: z.array(z.int()).min(1).max(MOST_CHANGED) }),
    z.strictObject({ filters: leadFilters, below: z.int().nullable() }),
  ]),
  action: z.discriminatedUnion('type', [
    z.object({ type: z.literal('delete') }),
    z.object({ type: z.literal('restart') }),
    z.object({ type: z.literal('end') }),
    z.object({ type: z.literal('move'), campaign_id: z.int() }),
  ]),
});

/** The filters under the names of core. */
export function filtersOf(given: z.output<typeof leadFilters>): LeadFilters {
  return {
    campaignId: given.campaign_id,
    state: given.state,
    outcome: given.outcome,
    phoneNumber: given.phone_number,
  };
}

/** `leads.*`: the user's own. */
export const leads = router({
  list: userProcedure.input(leadsInput).query(({ ctx, input }) =>
    listLeadSummaries(ctx.core, ctx.session, {
      ...filtersOf(input),
      page: input.page,
      perPage: input.per_page,
    }),
  ),

  get: userProcedure.input(byId).query(({ ctx, input }) => findLeadSummary(ctx.core, ctx.session, input.id)),

  /** Null for calls of others, as for calls without a lead. */
  ofCall: userProcedure
    .input(z.object({ call_id: z.int() }))
    .query(({ ctx, input }) => findLeadOfCall(ctx.core, ctx.session, input.call_id)),

  explain: userProcedure.input(byId).query(({ ctx, input }) => explainLead(ctx.core, ctx.session, input.id)),

  create: userProcedure
    .input(newLeadBody)
    .mutation(({ ctx, input }) => createLead(ctx.core, ctx.session, input)),

  update: userProcedure.input(byId.extend({ changes: leadChangesBody })).mutation(async ({ ctx, input }) => {
    await updateLead(ctx.core, ctx.session, input);
    return {};
  }),

  /** Single leads, or the next ones of a filter; repeated by the client until `next` is null. */
  changeMany: userProcedure.input(changeManyInput).mutation(async ({ ctx, input }) => {
    const { selection, action } = input;
    const leads =
      'ids' in selection
        ? selection
        : { ...selection, filters: filtersOf(selection.filters), limit: MOST_CHANGED };
    const leave = changes.enter(ctx.session.userId);
    try {
      return await changeLeads(ctx.core, ctx.session, { selection: leads, action });
    } finally {
      leave();
    }
  }),

  remove: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await deleteLead(ctx.core, ctx.session, input.id);
    return {};
  }),
});
