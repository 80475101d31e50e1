/**
 * The calls of a filter as a file for the admin app, which has a session and no token: `GET /call-files/export`, with the
 * query of the public endpoint.
 */
import { callsFileQuery, errorText, fieldErrors } from '@parley/contracts';
import { DomainError, exportCalls, type CoreContext } from '@parley/core';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { CALLS_FILE, callFiltersFrom } from './call-filters.ts';
import { identityOf } from './http/authenticate.ts';
import { refuseUnstorable } from './http/json-body.ts';
import { FileStream, openTextStream } from './http/text-stream.ts';

/** @param signedIn - requires a session */
export function createCallFiles(core: CoreContext, signedIn: RequestHandler): Router {
  const router = Router();
  router.get('/call-files/export', signedIn, (request, response) => sendCalls(core, request, response));
  return router;
}

async function sendCalls(core: CoreContext, request: Request, response: Response): Promise<void> {
  refuseUnstorable(request.query);
  const { data, error } = callsFileQuery.safeParse(request.query);
  if (error) throw new DomainError('invalid', errorText.invalidData, { fields: fieldErrors(error.issues) });
  const filters = callFiltersFrom({ ...data, page: 1, per_page: 1 });
  const { pieces, headers } = new FileStream(exportCalls(core, identityOf(response), filters), CALLS_FILE);
  const stream = await openTextStream(pieces, { request, response, log: core.log, headers });
  stream.pipe(response);
}
