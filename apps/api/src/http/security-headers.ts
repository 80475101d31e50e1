/**
 * Headers that keep browsers on our side: all of them for pages; for the answers of the REST API, which no browser shows
 * and which are many, those that say just that. The content policy allows our own files only: no inline script, no inline
 * style. The admin app keeps to it (its component library would like to insert style elements; those parts are unused).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import { exchangeOf } from './exchange.ts';

/** Under it are answers to programs, and nothing else. */
const API_PATH = '/api/';

type Step = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** @param isHttps - true where the public address is https: then browsers are told to insist on it */
export function securityHeaders(isHttps: boolean): Step {
  const policy = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        workerSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        mediaSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isHttps,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  const apiHeaders = apiHeadersOf(isHttps);
  return (request, response, next) => {
    if (!request.url?.startsWith(API_PATH)) {
      response.setHeader('Permissions-Policy', 'microphone=(self), camera=(), geolocation=()');
      return policy(request, response, next);
    }
    exchangeOf(response).headers.push(...apiHeaders);
    next();
  };
}

function apiHeadersOf(isHttps: boolean): string[] {
  const headers = [
    'Content-Security-Policy',
    "default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options',
    'nosniff',
  ];
  if (isHttps) headers.push('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  return headers;
}
