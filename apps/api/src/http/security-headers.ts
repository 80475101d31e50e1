/**
 * Headers that restrict what a browser does with our answers: the full set for pages, and for answers of the REST API
 * those that apply to data. The content policy of pages allows our own files only, without inline scripts or styles; the
 * admin app avoids the parts of its component library that insert style elements.
 */
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { isApiPath } from './api-path.ts';

const API_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** @param isHttps - true where the public address is https: browsers must then use https only */
export function securityHeaders(isHttps: boolean): RequestHandler {
  const forPages = helmet({
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
  return (request, response, next) => {
    if (!isApiPath(request.url)) {
      response.setHeader('Permissions-Policy', 'microphone=(self), camera=(), geolocation=()');
      return forPages(request, response, next);
    }
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Security-Policy', API_POLICY);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (isHttps) response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    next();
  };
}
