/**
 * Cross-origin requests (CORS) from pages of other origins, which CORS_ORIGINS allows. They apply to endpoints that
 * authenticate with a bearer token only. `Access-Control-Allow-Credentials` is never sent, so that no other origin can use
 * the session cookie of the admin app.
 */
import type { RequestHandler } from 'express';
import { isApiPath } from './api-path.ts';

const ALLOWED_METHODS = 'GET, POST, PUT, PATCH, DELETE';
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID';
/** The headers of answers that documented behaviour refers to. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-Error-Code',
  'Link',
  'Retry-After',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
].join(', ');
/** Browsers keep the answer to a preflight request for at most this time, seconds. */
const PREFLIGHT_SECONDS = 600;

/** @param origins - exact origins, or `*` for all; none: no header is sent */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const isAnyAllowed = origins.includes('*');
  return (request, response, next) => {
    if (origins.length === 0 || !isApiPath(request.url)) return next();
    if (!isAnyAllowed) response.vary('Origin');
    const origin = request.get('origin');
    if (origin === undefined || !(isAnyAllowed || origins.includes(origin))) return next();
    response.setHeader('Access-Control-Allow-Origin', isAnyAllowed ? '*' : origin);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    const isPreflight = request.method === 'OPTIONS' && request.get('access-control-request-method');
    if (!isPreflight) return next();
    response.setHeader('Access-Control-Allow-Methods', ALLOWED_METHODS);
    response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.status(204).end();
  };
}
