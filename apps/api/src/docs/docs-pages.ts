/**
 * The API reference: `/openapi.json`, `/docs` (Swagger UI), `/docs/errors` and `/docs/postman.json`, all without a token. Swagger UI is
 * served from its package: it contacts no other host, and works under the content policy of all our pages
 * (docs/decisions/reference-page.md).
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ERROR_CODES_PATH } from '@parley/contracts';
import { Router, type RequestHandler } from 'express';
import { KeptContent } from '../http/kept-content.ts';
import type { OriginReader } from '../http/request-origin.ts';
import { ORIGIN_PLACE, readApiTexts, type ApiTexts } from './api-texts.ts';
import { errorCodesPage } from './error-codes-page.ts';

const OUR_PAGE = fileURLToPath(new URL('page', import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Path to file; nothing else of the package is served. */
const files: Record<string, string> = {
  '/docs': join(OUR_PAGE, 'index.html'),
  '/docs/start.js': join(OUR_PAGE, 'start.js'),
  '/docs/swagger-ui.css': join(SWAGGER_UI, 'swagger-ui.css'),
  '/docs/swagger-ui-bundle.js': join(SWAGGER_UI, 'swagger-ui-bundle.js'),
};

/** How many addresses of this server are known that clients use; a stranger can invent any number. */
const MOST_ORIGINS = 10;

/** Serves all of them. */
export function createDocsPages(originOf: OriginReader): Router {
  const router = Router();
  router.get('/openapi.json', sendText('document', originOf));
  router.get('/docs/postman.json', sendText('collection', originOf));
  const errorCodes = new KeptContent(Buffer.from(errorCodesPage), 'html');
  router.get(ERROR_CODES_PATH, (request, response) => errorCodes.send(request, response));
  for (const [address, file] of Object.entries(files)) router.get(address, sendFile(file));
  return router;
}

/** A text with the address at which it is asked for. Beyond {@link MOST_ORIGINS} it is sent without compression. */
function sendText(name: keyof ApiTexts, originOf: OriginReader): RequestHandler {
  const kept = new Map<string, KeptContent>();
  return async (request, response) => {
    const text = (await readApiTexts())[name];
    const origin = originOf(request);
    const known = kept.get(origin);
    if (known) return known.send(request, response);
    const content = Buffer.from(text.replace(ORIGIN_PLACE, () => origin));
    if (kept.size >= MOST_ORIGINS) {
      response.type('json').send(content);
      return;
    }
    const made = new KeptContent(content, 'json');
    kept.set(origin, made);
    await made.send(request, response);
  };
}

/** Kept in memory after the first read (2 MB). */
function sendFile(file: string): RequestHandler {
  let kept: Promise<KeptContent> | undefined;
  return async (request, response) => {
    kept ??= readFile(file).then((content) => new KeptContent(content, extname(file)));
    response.set('Cache-Control', 'no-cache');
    await (await kept).send(request, response);
  };
}
