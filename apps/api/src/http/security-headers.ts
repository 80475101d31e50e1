/**
 * Headers that keep browsers on our side. The content policy allows our own files only; styles may stand in attributes
 * and elements, because the component library of the admin app sets its colours and sizes that way.
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
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        mediaSrc: ["'self'", 'blob:'],
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
