/** The OpenAPI document at `/openapi.json`, made once for each address under which it is asked for. */
import { api, createOpenApi, webhookPayloads } from '@parley/contracts';
import type { CoreContext } from '@parley/core';
import { Router } from 'express';
import { originOf } from './http/request-origin.ts';

/** The API's own version; it changes only when something is added. */
const VERSION = '1.0.0';

/** Serves it; needs no token. */
export function createApiDocument(core: CoreContext): Router {
  const router = Router();
  let document: Record<string, unknown> | undefined;
  router.get('/openapi.json', (request, response) => {
    document ??= createOpenApi({ contract: api, webhooks: webhookPayloads, version: VERSION, serverUrl: '' });
    response.json({ ...document, servers: [{ url: originOf(request, core.publicUrl) }] });
  });
  return router;
}
