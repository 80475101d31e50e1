/** The edge where every failure of an HTTP request becomes an answer. Nothing behind it throws. */
import type { ServerResponse } from 'node:http';
import type { RouteMetadata } from '@parley/contracts';
import type { Log } from '@parley/runtime';
import type { ErrorRequestHandler } from 'express';
import { toHttpError, type HttpError } from '../http-errors.ts';
import { exchangeOf } from './exchange.ts';
import { sendJson } from './send-json.ts';

/** For what Express answers. */
export function createErrorHandler(log: Log): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, _request, response, _next) => sendFailure(log, response, error);
}

/**
 * Answers with what the table of `http-errors.ts` makes of a failure. Where the answer has begun already, the connection
 * is cut, so that half of it cannot look whole.
 *
 * @param wording - what the endpoint calls its own errors
 */
export function sendFailure(
  log: Log,
  response: ServerResponse,
  error: unknown,
  wording: RouteMetadata = { scope: null },
): void {
  const answer = toHttpError(error, wording);
  if (answer.status >= 500) logFault(log, error, exchangeOf(response).requestId);
  if (response.headersSent) response.destroy();
  else sendError(response, answer);
}

/** Answers with what the table of `http-errors.ts` says. */
export function sendError(response: ServerResponse, answer: HttpError): void {
  for (const [name, value] of Object.entries(answer.headers)) exchangeOf(response).headers.push(name, value);
  sendJson(response, answer.status, answer.body);
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
