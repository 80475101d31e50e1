/** Express's error handler: every failure of an HTTP request becomes an answer here. */
import { errorCodeHeaders, metadataOf } from '@parley/contracts';
import type { Log } from '@parley/runtime';
import type { ErrorRequestHandler, Response } from 'express';
import { errorCodeOf, toHttpError, type HttpError } from '../http-errors.ts';
import type { RestRequest } from './rest-request.ts';
import { factsOf } from './request-facts.ts';

/**
 * Answers with the status and body of `http-errors.ts`. If the answer has already begun, the connection is closed, so
 * that a partial answer cannot be taken for a complete one.
 */
export function createErrorHandler(log: Log): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    const { tsRestRoute: route } = request as Partial<RestRequest>;
    const answer = toHttpError(error, route && metadataOf(route));
    if (answer.status >= 500) logFault(log, error, factsOf(response).requestId);
    if (response.headersSent) response.destroy();
    else sendError(response, answer);
  };
}

export function sendError(response: Response, error: HttpError): void {
  const { status, headers, body } = error;
  response
    .status(status)
    .set({ ...headers, ...errorCodeHeaders(errorCodeOf(error)) })
    .json(body);
}

/** The messages and details of Postgres and of providers may contain personal data. */
export function logFault(log: Log, error: unknown, requestId: string): void {
  const { message = String(error), stack, ...rest } = error instanceof Error ? error : {};
  const code = 'code' in rest ? rest.code : undefined;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined;
  log.error({ requestId, code, stack: framesOf(stack), pii: { message, cause, rest } }, 'A request failed');
}

/** A stack without its first lines, which repeat the message. */
function framesOf(stack: string | undefined): string[] {
  return (stack ?? '').split('\n').flatMap((line) => (/^\s+at /.test(line) ? [line.trim()] : []));
}
