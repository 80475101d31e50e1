/**
 * The built admin app under `/admin`. Files with a hash in their name never change; browsers revalidate the page itself
 * each time, so that a new version is loaded at once. Every path without a file extension is a route of the app.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { Router, type RequestHandler } from 'express';
import serveCompressed from 'express-static-gzip';

const PREFIX = '/admin';
const YEAR_SECONDS = 365 * 24 * 3600;

/** @param directory - the admin app's build; without it, `/admin` answers 503 */
export function createAdminPages(directory: string): Router {
  const router = Router();
  router.get('/', (_request, response) => response.redirect(302, PREFIX));
  router.use(PREFIX, sendFiles(directory));
  findPreloads(router, directory);
  router.get([PREFIX, `${PREFIX}/*path`], sendPage(directory));
  return router;
}

/** The build contains each file of text in compressed forms too. */
function sendFiles(directory: string): RequestHandler {
  return serveCompressed(directory, {
    enableBrotli: true,
    orderPreference: ['br', 'gzip'],
    index: false,
    serveStatic: { index: false, redirect: false, etag: true, setHeaders },
  });
}

function setHeaders(response: ServerResponse, path: string): void {
  const hasHash = path.includes('/assets/');
  response.setHeader('Cache-Control', hasHash ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
}

/** Remembers which scripts and styles the requested page needs, as the build has listed them (`build-preloads.ts` of admin). */
function findPreloads(router: Router, directory: string): void {
  const list = join(directory, 'preloads.json');
  if (!existsSync(list)) return;
  const pages = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string[]>;
  // The last one counts: that of `/assistants/new`, not of `/assistants/:assistantId`.
  const rows = Object.entries(pages).toSorted(([one], [other]) => parametersOf(other) - parametersOf(one));
  for (const [pattern, files] of rows) {
    const links = files.map(linkTo).join('');
    router.get(PREFIX + pattern, (_request, response, next) => {
      response.locals['preloads'] = links;
      next();
    });
  }
}

const parametersOf = (pattern: string): number => pattern.split(':').length - 1;

function linkTo(file: string): string {
  const relation = file.endsWith('.css') ? 'rel="preload" as="style"' : 'rel="modulepreload"';
  return `<link ${relation} crossorigin href="${PREFIX}/${file}">`;
}

/** In the page and not in the header `Link`: proxies refuse headers of more than 4 kB. */
function sendPage(directory: string): RequestHandler {
  return async (request, response, next) => {
    // A browser would execute a page that is sent for a missing script.
    if (/\.\w+$/.test(request.path)) return next();
    response.setHeader('Cache-Control', 'no-cache');
    const page = await readFile(join(directory, 'index.html'), 'utf8').catch(() => null);
    if (page === null) {
      response.status(503).type('text').send('The admin app is not built here. Run: npm start\n');
      return;
    }
    const { preloads = '' } = response.locals as { preloads?: string };
    response.type('html').send(page.replace('</title>', `</title>${preloads}`));
  };
}
