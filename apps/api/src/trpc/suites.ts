/** Suites of simulated callers and their runs for the admin app, in the records of the public API. */
import { newReplayBody, newSuiteBody, newSuiteRunBody, suiteChangesBody } from '@parley/contracts';
import {
  cancelSuiteRun,
  changeSuite,
  compareSuiteRuns,
  createSuite,
  deleteSuite,
  deleteSuiteRun,
  findSuite,
  findSuiteConversation,
  findSuiteRun,
  listSuiteRuns,
  listSuites,
  startReplay,
  startSuiteRun,
  suiteFaults,
} from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const byId = z.object({ id: z.int() });

/** `suites.*`: the user's own. */
export const suites = router({
  list: userProcedure.query(({ ctx }) => listSuites(ctx.core, ctx.session)),

  get: userProcedure.input(byId).query(({ ctx, input }) => findSuite(ctx.core, ctx.session, input.id)),

  /** What is wrong with a text that is being written; it stores nothing. A mutation, because the text may be long. */
  check: userProcedure
    .meta({ isAudited: false })
    .input(z.object({ definition: newSuiteBody.shape.definition }))
    .mutation(async ({ ctx, input }) => ({
      faults: await suiteFaults(ctx.core, ctx.session, input.definition),
    })),

  create: userProcedure
    .input(newSuiteBody)
    .mutation(({ ctx, input }) => createSuite(ctx.core, ctx.session, input)),

  update: userProcedure
    .input(byId.extend({ changes: suiteChangesBody }))
    .mutation(({ ctx, input }) => changeSuite(ctx.core, ctx.session, input)),

  remove: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await deleteSuite(ctx.core, ctx.session, input.id);
    return {};
  }),

  start: userProcedure
    .input(byId.extend({ draft: newSuiteRunBody }))
    .mutation(({ ctx, input }) =>
      startSuiteRun(ctx.core, ctx.session, { suiteId: input.id, limits: input.draft }),
    ),
});

/** `suiteRuns.*`: runs of the user's suites, and replays of the user's calls. */
export const suiteRuns = router({
  list: userProcedure
    .input(z.object({ suite_id: z.int().optional() }))
    .query(({ ctx, input }) => listSuiteRuns(ctx.core, ctx.session, { suiteId: input.suite_id })),

  get: userProcedure.input(byId).query(({ ctx, input }) => findSuiteRun(ctx.core, ctx.session, input.id)),

  cancel: userProcedure
    .input(byId)
    .mutation(({ ctx, input }) => cancelSuiteRun(ctx.core, ctx.session, input.id)),

  remove: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await deleteSuiteRun(ctx.core, ctx.session, input.id);
    return {};
  }),

  compare: userProcedure
    .input(byId.extend({ before_run_id: z.int() }))
    .query(({ ctx, input }) =>
      compareSuiteRuns(ctx.core, ctx.session, { id: input.id, beforeRunId: input.before_run_id }),
    ),

  conversation: userProcedure
    .input(byId)
    .query(({ ctx, input }) => findSuiteConversation(ctx.core, ctx.session, input.id)),

  /** `id` is that of the call. */
  replay: userProcedure
    .input(byId.extend({ draft: newReplayBody }))
    .mutation(({ ctx, input }) =>
      startReplay(ctx.core, ctx.session, { callId: input.id, assistantId: input.draft.assistant_id }),
    ),
});
