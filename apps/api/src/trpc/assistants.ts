/** Assistants for the admin app, in the records of the public API. */
import {
  assistantSettingNames,
  createAssistantBody,
  updateAssistantBody,
  writtenTool,
  writtenTools,
} from '@parley/contracts';
import {
  copyAssistant,
  createAssistant,
  deleteAssistant,
  describeRecognition,
  findAssistant,
  findAssistantVersion,
  listAllAssistants,
  listAssistantVersions,
  restoreAssistantVersion,
  tryAccountTool,
  tryTool,
  updateAssistant,
} from '@parley/core';
import { z } from 'zod';
import { requireAllowance } from '../http/rate-limit.ts';
import { router, userProcedure } from './procedures.ts';

const values = z.record(z.string().max(100), z.unknown());
/** Example values of a trial. */
const trialInput = { variables: values, arguments: values };

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

  /** Newest first. */
  versions: userProcedure
    .input(z.object({ id: z.int() }))
    .query(({ ctx, input }) => listAssistantVersions(ctx.core, ctx.session, input.id)),

  version: userProcedure
    .input(z.object({ id: z.int(), version: z.int() }))
    .query(({ ctx, input }) => findAssistantVersion(ctx.core, ctx.session, input)),

  restoreVersion: userProcedure
    .input(z.object({ id: z.int(), version: z.int(), settings: z.array(z.enum(assistantSettingNames)) }))
    .mutation(({ ctx, input }) => restoreAssistantVersion(ctx.core, ctx.session, input)),

  /** Sends the request of a tool as it is in the form; a header without a value takes the stored one. */
  tryTool: userProcedure
    .input(z.object({ id: z.int(), tool: writtenTool, ...trialInput }))
    .mutation(({ ctx, input: { id, tool, ...trial } }) => {
      requireAllowance(ctx.toolTrials.count(`user ${ctx.session.userId}`));
      return tryTool(ctx.core, ctx.session, { assistantId: id, tool }, trial);
    }),

  /** The same with a tool of the account. */
  tryAccountTool: userProcedure
    .input(z.object({ id: z.int(), ...trialInput }))
    .mutation(({ ctx, input: { id, ...trial } }) => {
      requireAllowance(ctx.toolTrials.count(`user ${ctx.session.userId}`));
      return tryAccountTool(ctx.core, ctx.session, id, trial);
    }),

  remove: userProcedure
    .input(z.object({ id: z.int() }))
    .mutation(({ ctx, input }) => deleteAssistant(ctx.core, ctx.session, input.id)),
});
