/**
 * Files of the do-not-call list for the admin app, which has a session and no token: the list as a file at `GET
 * /do-not-call-files/export`, with the query of the public endpoint, and a file to add at `POST /do-not-call-files/import`.
 */
import { doNotCallFileQuery, errorText, fieldErrors } from '@parley/contracts';
import {
  auditCommitted,
  DomainError,
  exportDoNotCall,
  importDoNotCall,
  type CoreContext,
} from '@parley/core';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { DO_NOT_CALL_FILE } from './do-not-call-record.ts';
import { identityOf } from './http/authenticate.ts';
import { refuseUnstorable } from './http/json-body.ts';
import { FileStream, openTextStream } from './http/text-stream.ts';
import { acceptUpload, openUpload } from './http/upload-body.ts';

const NOT_A_FILE = 'The request body must be a file (Content-Type: application/octet-stream).';

/** @param signedIn - requires a session */
export function createDoNotCallFiles(core: CoreContext, signedIn: RequestHandler): Router {
  const router = Router();
  router.get('/do-not-call-files/export', signedIn, (request, response) => sendList(core, request, response));
  router.post('/do-not-call-files/import', signedIn, (request, response) =>
    takeFile(core, request, response),
  );
  return router;
}

async function sendList(core: CoreContext, request: Request, response: Response): Promise<void> {
  refuseUnstorable(request.query);
  const { data, error } = doNotCallFileQuery.safeParse(request.query);
  if (error) throw new DomainError('invalid', errorText.invalidData, { fields: fieldErrors(error.issues) });
  const list = exportDoNotCall(core, identityOf(response), { phoneNumber: data.phone_number });
  const { pieces, headers } = new FileStream(list, DO_NOT_CALL_FILE);
  const stream = await openTextStream(pieces, { request, response, log: core.log, headers });
  stream.pipe(response);
}

async function takeFile(core: CoreContext, request: Request, response: Response): Promise<void> {
  const type = 'application/octet-stream';
  acceptUpload({ type, clock: core.clock, otherType: NOT_A_FILE }, request, response);
  const identity = identityOf(response);
  const result = await importDoNotCall(core, identity, openUpload(request, core.clock).bytes);
  await auditCommitted(core, {
    channel: 'app',
    operation: 'doNotCall.import',
    userId: identity.userId,
    networkAddress: request.ip ?? null,
    objectId: null,
  });
  response.json(result);
}
