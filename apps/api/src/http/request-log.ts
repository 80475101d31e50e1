/**
 * An id for every request, and one log line for each: what was asked, what came of it, how long it took. No query, no
 * body, no token: those may name people.
 */
import { randomUUID } from 'node:crypto';
import type { Clock, Log } from '@parley/runtime';
import type { Request, RequestHandler, Response } from 'express';

/** The id of the request being answered; also in its `X-Request-Id`. */
export function requestIdOf(response: Response): string {
  return String(response.locals['requestId']);
}

/** Goes first. */
export function createRequestLog(options: { log: Log; clock: Clock }): RequestHandler {
  return (request, response, next) => {
    const startedAt = options.clock.monotonic();
    const requestId = randomUUID();
    response.locals['requestId'] = requestId;
    response.setHeader('X-Request-Id', requestId);
    response.once('close', () => {
      const durationMs = Math.round(options.clock.monotonic() - startedAt);
      const isComplete = response.writableFinished;
      options.log.info(
        { requestId, ...describe(request, response), durationMs, isComplete },
        'Request answered',
      );
    });
    next();
  };
}

/** The pattern of the route that answered, such as `/api/user/calls/:id`; `none` where there was none. */
export function routeOf(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? request.baseUrl + route.path : 'none';
}

function describe(request: Request, response: Response) {
  return {
    method: request.method,
    // The pattern, not the address: a signed recording address is a secret.
    route: routeOf(request),
    status: response.statusCode,
    userId: response.locals['userId'] as number | undefined,
    tokenId: response.locals['tokenId'] as number | undefined,
  };
}
