/**
 * Requests and responses that are Express's from birth. Express gives its prototypes to each message that comes in, and an
 * object that changes its prototype is slow ever after: that cost more than all its routing. Nothing changes where a message
 * has them already, so Node is told to make such.
 */
import { IncomingMessage, ServerResponse, type RequestListener, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/** Where Express keeps the prototypes: the objects that its guide "Overriding the Express API" speaks of. */
interface Prototypes {
  request: object;
  response: object;
}

/** Options of `createServer` for an app, and the app itself: its prototypes are those of the classes from now on. */
export function bornForExpress(app: Express): [ServerOptions, RequestListener] {
  // Of each app its own, because the prototypes name the app.
  class Request extends IncomingMessage {}
  class Response<Asked extends IncomingMessage> extends ServerResponse<Asked> {}
  const prototypes = app as unknown as Prototypes;
  Object.setPrototypeOf(Request.prototype, prototypes.request);
  Object.setPrototypeOf(Response.prototype, prototypes.response);
  prototypes.request = Request.prototype;
  prototypes.response = Response.prototype;
  return [{ IncomingMessage: Request, ServerResponse: Response }, app];
}
