/**
 * Headers that keep browsers on our side. The content policy allows our own files only: no inline script, no inline
 * style. The admin app keeps to it (its component library would like to insert style elements; those parts are unused).
 */
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** @param isHttps - true where the public address is https: then browsers are told to insist on it */
export function securityHeaders(isHttps: boolean): RequestHandler[] {
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
  return [policy, allowMicrophone];
}

const allowMicrophone: RequestHandler = (_request, response, next) => {
  response.setHeader('Permissions-Policy', 'microphone=(self), camera=(), geolocation=()');
  next();
};
