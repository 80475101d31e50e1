/**
 * The built admin app under `/admin`. Files with a hash in their name never change; browsers revalidate the page itself
 * each time, so that a new version is loaded at once. Every path without a file extension is a route of the app.
 */
import { join } from 'node:path';
import compression from 'compression';
import express, { Router, type RequestHandler, type Response } from 'express';

const PREFIX = '/admin';
const YEAR_SECONDS = 365 * 24 * 3600;

/** @param directory - the admin app's build; without it, `/admin` answers 503 */
export function createAdminPages(directory: string): Router {
  const router = Router();
  router.get('/', (_request, response) => response.redirect(302, PREFIX));
  router.use(PREFIX, compression());
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
    // A browser would execute a page that is sent for a missing script.
    if (/\.\w+$/.test(request.path)) return next();
    response.setHeader('Cache-Control', 'no-cache');
    // Relative to a root, because Express refuses absolute paths that contain a dot directory.
    response.sendFile('index.html', { root: join(directory), cacheControl: false }, (error) => {
      if (!error || response.headersSent) return;
      response.status(503).type('text').send('The admin app is not built here. Run: npm start\n');
    });
  };
}
