/** Written conversations for the admin app: the list, one with its messages, and what a person does with it. */
import {
  deleteConversation,
  endOwnConversation,
  findConversation,
  pageOfConversations,
  switchAi,
} from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const MOST_PER_PAGE = 100;

const byId = z.object({ id: z.uuid() });

const listInput = z.object({
  assistant_id: z.int().optional(),
  status: z.enum(['open', 'ended']).optional(),
  date_from: z.iso.date().optional(),
  date_to: z.iso.date().optional(),
  page: z.int().positive(),
  per_page: z.int().positive().max(MOST_PER_PAGE),
});

/** `writtenConversations.*`: the user's own. */
export const writtenConversations = router({
  list: userProcedure.input(listInput).query(({ ctx, input }) =>
    pageOfConversations(ctx.core, ctx.session, {
      assistantId: input.assistant_id,
      status: input.status,
      dateFrom: input.date_from,
      dateTo: input.date_to,
      page: input.page,
      perPage: input.per_page,
    }),
  ),

  get: userProcedure.input(byId).query(({ ctx, input }) => findConversation(ctx.core, ctx.session, input.id)),

  enableAi: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await switchAi(ctx.core, ctx.session, { uuid: input.id, isEnabled: true });
    return {};
  }),

  disableAi: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await switchAi(ctx.core, ctx.session, { uuid: input.id, isEnabled: false });
    return {};
  }),

  end: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await endOwnConversation(ctx.core, ctx.session, input.id);
    return {};
  }),

  remove: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await deleteConversation(ctx.core, ctx.session, input.id);
    return {};
  }),
});
