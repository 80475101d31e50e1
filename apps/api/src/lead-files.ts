/**
 * Files of leads for the admin app, which has a session and no token: upload at `POST /lead-files/<campaign id>`, with the
 * query of the public endpoint, the check before it at `POST /lead-files/<campaign id>/check`, the report
 * of an import at `GET /lead-files/<import id>/report`, and the leads of a filter at `GET /lead-files/export`. They do not use
 * tRPC, which reads a whole message into memory first.
 */
import { errorText, fieldErrors, importQuery, type ImportQuery } from '@parley/contracts';
import {
  auditCommitted,
  checkLeads,
  DomainError,
  exportLeads,
  importLeads,
  type CoreContext,
} from '@parley/core';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { identityOf } from './http/authenticate.ts';
import { refuseUnstorable } from './http/json-body.ts';
import { FileStream, openTextStream } from './http/text-stream.ts';
import { acceptUpload, openUpload } from './http/upload-body.ts';
import { readImportOptions, reportFile } from './rest/lead-imports.ts';
import { idOf } from './session-only.ts';
import { filtersOf, leadFilters } from './trpc/leads.ts';

/** @param signedIn - requires a session */
export function createLeadFiles(core: CoreContext, signedIn: RequestHandler): Router {
  const router = Router();
  router.post('/lead-files/:id', signedIn, (request, response) => takeFile(core, request, response));
  router.post('/lead-files/:id/check', signedIn, (request, response) => checkFile(core, request, response));
  router.get('/lead-files/:id/report', signedIn, (request, response) => sendReport(core, request, response));
  router.get('/lead-files/export', signedIn, (request, response) => sendLeads(core, request, response));
  return router;
}

/** The query of an upload whose body may be read now. */
function openRequest(core: CoreContext, request: Request, response: Response): ImportQuery {
  refuseUnstorable(request.query);
  acceptUpload({ type: 'text/csv', clock: core.clock }, request, response);
  const { data: query, error } = importQuery.safeParse(request.query);
  if (error) throw new DomainError('invalid', errorText.invalidData, { fields: fieldErrors(error.issues) });
  return query;
}

async function checkFile(core: CoreContext, request: Request, response: Response): Promise<void> {
  const query = openRequest(core, request, response);
  const data = await checkLeads(core, identityOf(response), {
    campaignId: idOf(request.params['id'], 'Campaign not found'),
    options: readImportOptions(query),
    bytes: openUpload(request, core.clock).bytes,
  });
  response.json(data);
}

async function takeFile(core: CoreContext, request: Request, response: Response): Promise<void> {
  const query = openRequest(core, request, response);
  const identity = identityOf(response);
  const campaignId = idOf(request.params['id'], 'Campaign not found');
  const data = await importLeads(core, identity, {
    campaignId,
    options: readImportOptions(query),
    fileName: query.file_name,
    ...openUpload(request, core.clock),
  });
  await auditCommitted(core, {
    channel: 'app',
    operation: 'leadImports.upload',
    userId: identity.userId,
    networkAddress: request.ip ?? null,
    objectId: campaignId,
  });
  response.json(data);
}

async function sendReport(core: CoreContext, request: Request, response: Response): Promise<void> {
  const file = reportFile(core, identityOf(response), idOf(request.params['id'], 'Import not found'));
  const { log } = core;
  const stream = await openTextStream(file.pieces, { request, response, log, headers: file.headers });
  stream.pipe(response);
}

async function sendLeads(core: CoreContext, request: Request, response: Response): Promise<void> {
  refuseUnstorable(request.query);
  const { data, error } = leadFilters.safeParse(request.query);
  if (error) throw new DomainError('invalid', errorText.invalidData, { fields: fieldErrors(error.issues) });
  const pieces = exportLeads(core, identityOf(response), filtersOf(data));
  const { headers } = new FileStream(pieces, { type: 'text/csv; charset=utf-8', fileName: 'leads.csv' });
  const stream = await openTextStream(pieces, { request, response, log: core.log, headers });
  stream.pipe(response);
}
