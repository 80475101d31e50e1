/** The facts of a request during its processing, and its report after the end of the response. */
import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@parley/contracts';
import type { Identity } from '@parley/core';
import type { Clock } from '@parley/runtime';
import type { Request, RequestHandler, Response } from 'express';

/** Kept in Express's `response.locals`. */
interface RequestFacts {
  /** Also in the header `X-Request-Id`. */
  requestId: string;
  /** The user of the token or the session; undefined until one is authenticated. */
  identity?: Identity | null;
  /** When that was looked up, on the monotonic clock, and how it is looked up again; see renew-identity.ts. */
  authentication?: { atMs: number; again: () => Promise<Identity | null> };
  /** For a tool of the MCP server: the operation that it runs, or its own name. */
  toolOperation?: string;
  /** For a tool that failed: the answer to the request itself has status 200. */
  toolErrorCode?: ErrorCode;
}

/** A request whose answer was sent, or whose connection was lost. */
export interface EndedRequest {
  requestId: string;
  userId: number | undefined;
  tokenId: number | null | undefined;
  method: string;
  /** The pattern, such as `/api/user/calls/:id`, because a path may hold secrets and ids; `none` without a match. */
  route: string;
  status: number;
  durationMs: number;
  /** False when the client disconnected before the end of the answer. */
  isComplete: boolean;
}

/**
 * Called once for each request.
 *
 * @param about - may contain personal data, unlike `ended`
 */
export type RequestObserver = (ended: EndedRequest, about: { request: Request; response: Response }) => void;

export function factsOf(response: Response): RequestFacts {
  return response.locals as RequestFacts;
}

/** The first middleware: gives a request its id and reports its end. */
export function observeRequests(clock: Clock, observers: readonly RequestObserver[]): RequestHandler {
  return (request, response, next) => {
    const facts = factsOf(response);
    const startedAtMs = clock.monotonic();
    facts.requestId = randomUUID();
    response.setHeader('X-Request-Id', facts.requestId);
    response.once('close', () => {
      const ended: EndedRequest = {
        requestId: facts.requestId,
        userId: facts.identity?.userId,
        tokenId: facts.identity?.tokenId,
        method: request.method,
        route: routeOf(request),
        status: response.statusCode,
        durationMs: clock.monotonic() - startedAtMs,
        isComplete: response.writableFinished,
      };
      for (const observe of observers) observe(ended, { request, response });
    });
    next();
  };
}

/** Express leaves the route that answered on the request. */
function routeOf(request: Request): string {
  const { path } = (request.route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? request.baseUrl + path : 'none';
}
