/** Assistants for the admin app, in the records of the public API. */
import { createAssistantBody, updateAssistantBody, writtenTools } from '@parley/contracts';
import {
  copyAssistant,
  createAssistant,
  deleteAssistant,
  describeRecognition,
  findAssistant,
  listAllAssistants,
  updateAssistant,
} from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

/** `assistants.*`: the user's own. */
export const assistants = router({
  list: userProcedure.query(({ ctx }) => listAllAssistants(ctx.core, ctx.session)),

  get: userProcedure
    .input(z.object({ id: z.int() }))
    .query(({ ctx, input }) => findAssistant(ctx.core, ctx.session, input.id)),

  /** The speech recognition that its next call would use. */
  recognition: userProcedure
    .input(z.object({ id: z.int() }))
    .query(({ ctx, input }) => describeRecognition(ctx.core, ctx.session, input.id)),

  create: userProcedure
    .input(createAssistantBody)
    .mutation(({ ctx, input }) => createAssistant(ctx.core, ctx.session, input)),

  copy: userProcedure
    .input(z.object({ id: z.int(), name: z.string().trim().min(1).max(255) }))
    .mutation(({ ctx, input }) => copyAssistant(ctx.core, ctx.session, input)),

  update: userProcedure
    .input(z.object({ id: z.int(), changes: updateAssistantBody }))
    .mutation(async ({ ctx, input }) => {
      await updateAssistant(ctx.core, ctx.session, input);
      return findAssistant(ctx.core, ctx.session, input.id);
    }),

  /** Replaces all of its tools; a header without a value keeps the stored one. */
  setTools: userProcedure
    .input(z.object({ id: z.int(), tools: writtenTools }))
    .mutation(({ ctx, input }) =>
      updateAssistant(ctx.core, ctx.session, { id: input.id, changes: { tools: input.tools } }),
    ),

  remove: userProcedure
    .input(z.object({ id: z.int() }))
    .mutation(({ ctx, input }) => deleteAssistant(ctx.core, ctx.session, input.id)),
});
