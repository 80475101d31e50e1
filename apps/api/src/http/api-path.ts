/** Paths of the REST API, in the forms in which clients send them. */
import type { RequestHandler } from 'express';

/** True for addresses below `/api`. Express matches paths whatever their case. */
export function isApiPath(url: string): boolean {
  return /^\/api\//i.test(url);
}

/** A base address that ends with a slash makes clients request `//api/…`. It is read like `/api/…`. */
export const dropLeadingSlashes: RequestHandler = (request, _response, next) => {
  request.url = request.url.replace(/^\/{2,}/, '/');
  // Links of lists are made from it.
  request.originalUrl = request.url;
  next();
};
