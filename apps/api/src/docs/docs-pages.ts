/**
 * The API reference: `/openapi.json`, `/docs` (Swagger UI), `/docs/errors` and `/docs/postman.json`, all without a token. Swagger UI is
 * served from its package: it contacts no other host, and works under the content policy of all our pages
 * (docs/decisions/reference-page.md).
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ERROR_CODES_PATH } from '@parley/contracts';
import { Router, type RequestHandler } from 'express';
import type { OriginReader } from '../http/request-origin.ts';
import { createApiDocument } from './complete-document.ts';
import { errorCodesPage } from './error-codes-page.ts';
import type { OpenApiDocument } from './openapi-parts.ts';
import { toPostmanCollection } from './postman-collection.ts';

const OUR_PAGE = fileURLToPath(new URL('page', import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Path to file; nothing else of the package is served. */
const files: Record<string, string> = {
  '/docs': join(OUR_PAGE, 'index.html'),
  '/docs/start.js': join(OUR_PAGE, 'start.js'),
  '/docs/swagger-ui.css': join(SWAGGER_UI, 'swagger-ui.css'),
  '/docs/swagger-ui-bundle.js': join(SWAGGER_UI, 'swagger-ui-bundle.js'),
};

/** Serves all of them. */
export function createDocsPages(originOf: OriginReader): Router {
  const router = Router();
  let made: OpenApiDocument | undefined;
  /** Generated on first use, which takes some milliseconds. */
  const documentAt = (origin: string): OpenApiDocument => {
    made ??= createApiDocument();
    return { ...made, servers: [{ url: origin }] };
  };
  router.get('/openapi.json', (request, response) => {
    response.json(documentAt(originOf(request)));
  });
  router.get('/docs/postman.json', (request, response) => {
    response.json(toPostmanCollection(documentAt(originOf(request))));
  });
  router.get(ERROR_CODES_PATH, (_request, response) => {
    response.type('html').send(errorCodesPage);
  });
  for (const [address, file] of Object.entries(files)) router.get(address, sendFile(file));
  return router;
}

/** Kept in memory after the first read (2 MB). The ETag is a hash, because the dates of installed files are arbitrary. */
function sendFile(file: string): RequestHandler {
  let kept: Promise<Buffer> | undefined;
  return async (_request, response) => {
    const content = await (kept ??= readFile(file));
    response
      .set({ ETag: etagOf(content), 'Cache-Control': 'no-cache' })
      .type(extname(file))
      .send(content);
  };
}

function etagOf(content: Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url')}"`;
}
