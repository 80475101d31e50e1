/** Under which address a request reached us, and whether a browser sent it from one of our own pages. */
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';

/** Used when a request names no host that could be one. */
const FALLBACK_ORIGIN = 'http://localhost';

/** The configured public origin, otherwise the one the request was sent to. No slash at the end. */
export function originOf(request: Request, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl;
  const asked = URL.parse(`${request.protocol}://${request.get('host') ?? ''}`);
  return asked?.origin ?? FALLBACK_ORIGIN;
}

/** The absolute address of a request, under an origin from {@link originOf}. */
export function urlOf(request: Request, origin: string): URL {
  const url = new URL(origin);
  // Put together from its parts: the request line may hold an absolute address of somebody else's.
  url.pathname = url.pathname.replace(/\/$/, '') + request.baseUrl + request.path;
  url.search = request.originalUrl.split('?').slice(1).join('?');
  return url;
}

/**
 * Guards what a cookie alone would allow: browsers state the page's origin on every POST and every WebSocket, so a
 * request with a foreign one is refused. Programs that are no browsers state none.
 */
export function isFromOwnPage(request: IncomingMessage, publicUrl: string | null): boolean {
  const origin = request.headers.origin;
  if (origin === undefined) return isFromNoPage(request);
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return true;
  const page = URL.parse(origin);
  return page !== null && page.host === request.headers.host;
}

function isFromNoPage(request: IncomingMessage): boolean {
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}
