/** The edge where every failure of an HTTP request becomes an answer. Nothing behind it throws. */
import type { RouteMetadata } from '@parley/contracts';
import type { Log } from '@parley/runtime';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { toHttpError, type HttpError } from '../http-errors.ts';
import { requestIdOf } from './request-log.ts';

/** @param wordingOf - what the endpoint that a request went to calls its own errors */
export function createErrorHandler(
  log: Log,
  wordingOf: (request: Request) => RouteMetadata,
): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, request, response, next) => {
    const answer = toHttpError(error, wordingOf(request));
    if (answer.status >= 500) logFault(log, error, requestIdOf(response));
    if (response.headersSent) return next(error);
    sendError(response, answer);
  };
}

/** Answers with what the table of `http-errors.ts` says. */
export function sendError(response: Response, answer: HttpError): void {
  response.status(answer.status).set(answer.headers).json(answer.body);
}

/** Postgres and providers put values into their messages and details, which may be personal. */
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
