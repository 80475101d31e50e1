/**
 * What pages of other origins may ask: the files of the widget, its appearance, and a call (docs/widget.md). These are the
 * only answers to other origins besides CORS_ORIGINS, and none of them reads a cookie. A request costs at most one indexed
 * query before its origin is checked, and each network address has a limit of requests.
 */
import { existsSync } from 'node:fs';
import {
  WIDGET_TALK_PATH,
  type WidgetAppearance,
  type WidgetCall,
  type WidgetSettings,
} from '@parley/contracts';
import { findWidget, placeWidgetCall, type CoreContext } from '@parley/core';
import { networkOf } from '@parley/runtime';
import { Router, type Request, type Response } from 'express';
import { refusal } from '../http-errors.ts';
import { requireAllowance, type RateLimit } from '../http/rate-limit.ts';
import { isAllowedPage } from './allowed-page.ts';
import { demoPage } from './demo-page.ts';

/** Requests per minute and network address. Behind one address may be an office. */
export const WIDGET_REQUESTS_PER_MINUTE = 120;
/** The same for calls and their WebSockets. */
export const WIDGET_CALLS_PER_MINUTE = 20;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** How long browsers and proxies keep the files of the widget, seconds. A new version is in use after that. */
const FILE_SECONDS = 300;
/** The same for the appearance, so that a page view often costs no request. */
const APPEARANCE_SECONDS = 60;

/** Limits, which all api processes share. */
export interface WidgetLimits {
  widgetRequests: RateLimit;
  widgetCalls: RateLimit;
}

/** @param adminDirectory - the build of the admin app, which contains the widget */
export function createWidgetPages(
  core: CoreContext,
  { adminDirectory, limits }: { adminDirectory: string; limits: WidgetLimits },
): Router {
  const router = Router();
  serveFiles(router, `${adminDirectory}/widget`);
  router.get('/widget/assistants/:uuid', (request, response, next) => {
    requireAllowance(limits.widgetRequests.count(networkOf(request.ip ?? '')));
    readAppearance(core, request, response).then((appearance) => response.json(appearance), next);
  });
  router.post('/widget/assistants/:uuid/calls', (request, response, next) => {
    requireAllowance(limits.widgetCalls.count(networkOf(request.ip ?? '')));
    placeCall(core, request, response).then((call) => response.status(201).json(call), next);
  });
  router.get('/widget/demo/:uuid', (request, response) => {
    response
      .type('html')
      .set('Cache-Control', 'no-cache')
      .send(demoPage(uuidOf(request)));
  });
  return router;
}

async function readAppearance(
  core: CoreContext,
  request: Request,
  response: Response,
): Promise<WidgetAppearance> {
  response.vary('Origin');
  const settings = await findWidget(core, uuidOf(request));
  if (!settings) throw refusal(404, 'There is no such widget.');
  if (!isAllowedPage(core, request, settings)) throw refusal(403, 'This page may not use the widget.');
  allowReading(request, response);
  response.setHeader('Cache-Control', `private, max-age=${APPEARANCE_SECONDS}`);
  return appearanceOf(settings);
}

async function placeCall(core: CoreContext, request: Request, response: Response): Promise<WidgetCall> {
  response.vary('Origin');
  const origin = request.get('origin');
  if (origin === undefined) throw refusal(403, 'The request has no Origin.');
  const { ticket } = await placeWidgetCall(core, {
    uuid: uuidOf(request),
    origin,
    visitor: networkOf(request.ip ?? ''),
    isAllowed: (settings) => {
      const isAllowed = isAllowedPage(core, request, settings);
      // Also for refusals after this one, so that the widget can explain them.
      if (isAllowed) allowReading(request, response);
      return isAllowed;
    },
  });
  response.setHeader('Cache-Control', 'no-store');
  return { path: `${WIDGET_TALK_PATH}?ticket=${ticket}` };
}

/** The script and the worklet. Pages of any origin may load them. */
function serveFiles(router: Router, directory: string): void {
  const files = { '/widget.js': 'widget.js', '/widget/sound.js': 'sound.js' };
  for (const [path, file] of Object.entries(files)) {
    router.get(path, (_request, response, next) => {
      if (!existsSync(`${directory}/${file}`)) return next();
      response.set({
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Cache-Control': `public, max-age=${FILE_SECONDS}`,
      });
      // Relative to a root, because Express refuses absolute paths that contain a dot directory.
      response.sendFile(file, { root: directory, cacheControl: false });
    });
  }
}

function uuidOf(request: Request): string {
  const { uuid } = request.params;
  if (typeof uuid !== 'string' || !UUID.test(uuid)) throw refusal(404, 'There is no such widget.');
  return uuid;
}

function allowReading(request: Request, response: Response): void {
  const origin = request.get('origin');
  if (origin !== undefined) response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
}

function appearanceOf({ theme, color, position, consentText, texts }: WidgetSettings): WidgetAppearance {
  return { theme, color, position, consent_text: consentText, texts };
}
