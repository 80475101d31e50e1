/**
 * Knowledge bases and their documents for the admin app, in the records of the public API. Files are uploaded through
 * `document-files.ts`.
 */
import { knowledgebaseChangesBody, newDocumentBody, newKnowledgebaseBody } from '@parley/contracts';
import {
  changeKnowledgebase,
  createDocument,
  createKnowledgebase,
  deleteDocument,
  deleteKnowledgebase,
  findKnowledgebase,
  listDocuments,
  listKnowledgebases,
} from '@parley/core';
import { z } from 'zod';
import { router, userProcedure } from './procedures.ts';

const byId = z.object({ id: z.int() });

/** `knowledgebases.*`: the user's own. */
export const knowledgebases = router({
  list: userProcedure.query(({ ctx }) => listKnowledgebases(ctx.core, ctx.session)),

  get: userProcedure
    .input(byId)
    .query(({ ctx, input }) => findKnowledgebase(ctx.core, ctx.session, input.id)),

  create: userProcedure
    .input(newKnowledgebaseBody)
    .mutation(({ ctx, input }) => createKnowledgebase(ctx.core, ctx.session, input)),

  update: userProcedure
    .input(byId.extend({ changes: knowledgebaseChangesBody }))
    .mutation(({ ctx, input }) => changeKnowledgebase(ctx.core, ctx.session, input)),

  remove: userProcedure.input(byId).mutation(async ({ ctx, input }) => {
    await deleteKnowledgebase(ctx.core, ctx.session, input.id);
    return {};
  }),
});

/** `documents.*`: those of a knowledge base of the user. */
export const documents = router({
  /** `id` is that of the knowledge base. */
  list: userProcedure.input(byId).query(({ ctx, input }) => listDocuments(ctx.core, ctx.session, input.id)),

  /** `id` is that of the knowledge base. */
  create: userProcedure
    .input(byId.extend({ draft: newDocumentBody }))
    .mutation(({ ctx, input }) =>
      createDocument(ctx.core, ctx.session, { knowledgebaseId: input.id, input: input.draft }),
    ),

  remove: userProcedure
    .input(byId.extend({ knowledgebase_id: z.int() }))
    .mutation(async ({ ctx, input: { id, knowledgebase_id: knowledgebaseId } }) => {
      await deleteDocument(ctx.core, ctx.session, { knowledgebaseId, id });
      return {};
    }),
});
