/**
 * The built admin app under `/admin`. Files with a hash in their name never change; the page itself is asked for anew
 * each time, so that a new version is seen at once. Every address without a file is a page of the app's own.
 */
import { join } from 'node:path';
import express, { Router, type RequestHandler, type Response } from 'express';

const PREFIX = '/admin';
const YEAR_SECONDS = 365 * 24 * 3600;

/** @param directory - the result of the admin app's build; where it is missing, `/admin` says so */
export function createAdminPages(directory: string): Router {
  const router = Router();
  router.get('/', (_request, response) => response.redirect(302, PREFIX));
  router.use(PREFIX, express.static(directory, { index: false, redirect: false, etag: true, setHeaders }));
  router.get([PREFIX, `${PREFIX}/*path`], sendPage(directory));
  return router;
}

function setHeaders(response: Response, path: string): void {
  const hasHash = path.includes('/assets/');
  response.setHeader('Cache-Control', hasHash ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
}

function sendPage(directory: string): RequestHandler {
  return (request, response, next) => {
    // A missing file must not be answered with a page: a browser would take it for a broken script.
    if (/\.\w+$/.test(request.path)) return next();
    response.setHeader('Cache-Control', 'no-cache');
    // Relative to its root, because an absolute path with a dot directory in it would be refused.
    response.sendFile('index.html', { root: join(directory), cacheControl: false }, (error) => {
      if (!error || response.headersSent) return;
      response.status(503).type('text').send('The admin app is not built here. Run: npm start\n');
    });
  };
}
