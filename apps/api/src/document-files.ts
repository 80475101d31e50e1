/**
 * Files of documents for the admin app: `POST /document-files/<id of the knowledge base>?name=&type=` with the file as its
 * body. They do not use tRPC, whose messages have at most 1 MiB.
 */
import { errorText, fieldErrors, MAX_FILE_BYTES, newDocumentBody } from '@parley/contracts';
import {
  auditCommitted,
  createDocument,
  DomainError,
  findKnowledgebase,
  type CoreContext,
} from '@parley/core';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { identityOf } from './http/authenticate.ts';
import { refuseUnstorable } from './http/json-body.ts';
import { acceptUpload, openUpload, readUploaded } from './http/upload-body.ts';
import { idOf } from './session-only.ts';

/** @param signedIn - requires a session */
export function createDocumentFiles(core: CoreContext, signedIn: RequestHandler): Router {
  const router = Router();
  router.post('/document-files/:id', signedIn, (request, response) => takeFile(core, request, response));
  return router;
}

async function takeFile(core: CoreContext, request: Request, response: Response): Promise<void> {
  refuseUnstorable(request.query);
  const otherType = 'The request body must be a file (Content-Type: application/octet-stream).';
  acceptUpload({ type: 'application/octet-stream', clock: core.clock, otherType }, request, response);
  const identity = identityOf(response);
  const knowledgebaseId = idOf(request.params['id'], 'Knowledge base not found');
  // Before the file is read into memory.
  await findKnowledgebase(core, identity, knowledgebaseId);
  const content = await readUploaded(openUpload(request, core.clock), MAX_FILE_BYTES);
  const { name, type } = request.query;
  const { data: input, error } = newDocumentBody.safeParse({ name, type, file: content.toString('base64') });
  if (error) throw new DomainError('invalid', errorText.invalidData, { fields: fieldErrors(error.issues) });
  const data = await createDocument(core, identity, { knowledgebaseId, input });
  await auditCommitted(core, {
    channel: 'app',
    operation: 'documents.create',
    userId: identity.userId,
    networkAddress: request.ip ?? null,
    objectId: data.id,
  });
  response.json(data);
}
