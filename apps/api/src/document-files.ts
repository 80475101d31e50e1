/** Files of documents for the admin app: `POST /document-files/<id of the knowledge base>?name=&type=`. */
import { MAX_FILE_BYTES, newDocumentBody } from '@parley/contracts';
import { createDocument, findKnowledgebase, type CoreContext } from '@parley/core';
import { Router, type RequestHandler } from 'express';
import { takeUpload } from './admin-upload.ts';

/** @param signedIn - requires a session */
export function createDocumentFiles(core: CoreContext, signedIn: RequestHandler): Router {
  const takeFile = takeUpload(core, {
    otherType: 'The request body must be a file (Content-Type: application/octet-stream).',
    maxBytes: MAX_FILE_BYTES,
    notFound: 'Knowledge base not found',
    find: (identity, knowledgebaseId) => findKnowledgebase(core, identity, knowledgebaseId),
    schema: newDocumentBody,
    bodyOf: (file, { name, type }) => ({ name, type, file }),
    create: (identity, knowledgebaseId, input) => createDocument(core, identity, { knowledgebaseId, input }),
    operation: 'documents.create',
  });
  return Router().post('/document-files/:id', signedIn, takeFile);
}
