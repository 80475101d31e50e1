/**
 * Recordings of fixed sentences for the admin app, in the records of the public API. Sounds are uploaded and played through
 * `phrase-sounds.ts`.
 */
import { deleteRecordedPhrase, listRecordedPhrases } from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

/** `recordedPhrases.*`: those of an assistant of the user. */
export const recordedPhrases = router({
  /** `id` is that of the assistant. */
  list: userProcedure
    .input(z.object({ id: z.int() }))
    .query(({ ctx, input }) => listRecordedPhrases(ctx.core, ctx.session, input.id)),

  remove: userProcedure
    .input(z.object({ id: z.int(), assistant_id: z.int() }))
    .mutation(async ({ ctx, input: { id, assistant_id: assistantId } }) => {
      await deleteRecordedPhrase(ctx.core, ctx.session, { assistantId, id });
      return {};
    }),
});
