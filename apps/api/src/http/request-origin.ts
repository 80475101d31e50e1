/** Under which address a request reached us, and whether a browser sent it from one of our own pages. */
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

/** Used when a request names no host that could be one. */
const FALLBACK_ORIGIN = 'http://localhost';

/** True for addresses of proxies that are believed; the form of Express's own setting. */
export type IsTrusted = (address: string, hops: number) => boolean;

/** Tells the origin that answers to a request shall name, without a slash at the end. */
export type OriginReader = (request: IncomingMessage) => string;

/** @param publicUrl - where it is configured, it is the origin of everything; otherwise, the one that a request was sent to */
export function createOriginReader(publicUrl: string | null, isTrusted: IsTrusted): OriginReader {
  if (publicUrl !== null) {
    const configured = new URL(publicUrl).href.replace(/\/$/, '');
    return () => configured;
  }
  // Nearly every request comes under the same address.
  let last = { protocol: '', host: '', origin: FALLBACK_ORIGIN };
  return (request) => {
    const protocol = protocolOf(request, isTrusted);
    const { host = '' } = request.headers;
    if (protocol !== last.protocol || host !== last.host)
      last = { protocol, host, origin: URL.parse(`${protocol}://${host}`)?.origin ?? FALLBACK_ORIGIN };
    return last.origin;
  };
}

/** What a proxy in front of us says that it was, if it is believed. */
function protocolOf(request: IncomingMessage, isTrusted: IsTrusted): string {
  const own = request.socket instanceof TLSSocket ? 'https' : 'http';
  const forwarded = request.headers['x-forwarded-proto'];
  if (typeof forwarded !== 'string' || !isTrusted(request.socket.remoteAddress ?? '', 0)) return own;
  return (forwarded.split(',')[0] ?? '').trim();
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
