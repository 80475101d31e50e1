/** The public origin of a request, and whether one of our own pages sent it. */
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';

/** Used when a request names no valid host. */
const FALLBACK_ORIGIN = 'http://localhost';

/** Finds the origin, without a trailing slash, that links in the answer to a request start with. */
export type OriginReader = (request: Request) => string;

/** @param publicUrl - the origin of every answer where it is configured; otherwise each request's own is used */
export function createOriginReader(publicUrl: string | null): OriginReader {
  if (publicUrl !== null) {
    const configured = new URL(publicUrl).href.replace(/\/$/, '');
    return () => configured;
  }
  return ({ protocol, headers: { host = '' } }) =>
    URL.parse(`${protocol}://${host}`)?.origin ?? FALLBACK_ORIGIN;
}

/**
 * Protects actions that a cookie alone would allow: browsers send the page's origin with every POST and every WebSocket,
 * so a request from another site's page is refused. Other programs send no origin.
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
