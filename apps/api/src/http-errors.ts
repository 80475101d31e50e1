/**
 * The one table that turns a failure into a status and a body, for REST and tRPC alike. Internal details stay inside the
 * process: an unexpected error becomes a plain 500, and the log has the rest under the request's id.
 */
import { errorText, type ErrorCode, type RouteMetadata } from '@parley/contracts';
import { DomainError, type DomainErrorKind, type FieldMessages } from '@parley/core';
import { isUnavailable } from '@parley/db';

/** An error as it is sent. */
export interface HttpError {
  status: number;
  body: { message: string; errors?: FieldMessages; retry_after?: number };
  headers: Record<string, string>;
  /** Absent: the code that follows from status and body. */
  code?: ErrorCode;
}

const STATUSES: Record<DomainErrorKind, number> = {
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-many': 429,
  unavailable: 503,
};

/** `Retry-After` in seconds where the end of the limit is unknown. */
const DEFAULT_RETRY_SECONDS = 60;

/** `Retry-After` of every 503: a restarted Postgres takes requests again after 1 to 3 seconds. */
export const UNAVAILABLE_RETRY_HEADERS = { 'Retry-After': '2' };

/** Thrown to refuse a request with a given answer. */
export class RefusedRequest extends Error {
  readonly answer: HttpError;

  constructor(answer: HttpError) {
    super(answer.body.message);
    this.answer = answer;
  }
}

/** A refusal with a message only. */
export function refusal(status: number, message: string, code?: ErrorCode): RefusedRequest {
  return new RefusedRequest({ status, body: { message }, headers: {}, ...(code && { code }) });
}

const CODES: Record<number, ErrorCode> = {
  400: 'invalid_json',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'unavailable',
};

/** The code of an error that is sent. */
export function errorCodeOf({
  status,
  body,
  code,
}: Pick<HttpError, 'status' | 'code'> & { body: object }): ErrorCode {
  if (code !== undefined) return code;
  if (status === 422) return 'errors' in body ? 'validation_failed' : 'not_possible';
  return CODES[status] ?? 'server_error';
}

type Wording = Pick<RouteMetadata, 'validationMessage' | 'failureMessage'>;

/** @param wording - the texts of the endpoint's own errors */
export function toHttpError(error: unknown, wording: Wording = {}): HttpError {
  if (error instanceof DomainError) {
    const answer = fromDomain(error, wording);
    return error.code === null ? answer : { ...answer, code: error.code };
  }
  if (error instanceof RefusedRequest) return error.answer;
  // Express could not decode the path.
  if (error instanceof URIError) return { status: 404, body: { message: errorText.notFound }, headers: {} };
  // Before the database: a client that disconnects gives the same error code as a lost connection to Postgres.
  const bodyFault = bodyFaultOf(error);
  if (bodyFault !== undefined) return { status: statusOf(error), body: { message: bodyFault }, headers: {} };
  if (isUnavailable(error)) return unavailable(errorText.unavailable);
  return { status: 500, body: { message: wording.failureMessage ?? errorText.serverError }, headers: {} };
}

/** What Express's body parser reports, by the status that it gives to its errors. */
const BODY_FAULTS: Record<number, string> = {
  400: errorText.notJson,
  413: errorText.tooLarge,
  415: errorText.notJsonType,
};

function bodyFaultOf(error: unknown): string | undefined {
  const status = statusOf(error);
  // The limit of the parser that refused it, bytes.
  if (status === 413 && error instanceof Error && 'limit' in error)
    return errorText.tooLargeFor(Number(error.limit));
  return BODY_FAULTS[status];
}

function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error ? Number(error.status) : 0;
}

function fromDomain(error: DomainError, wording: Wording): HttpError {
  const status = STATUSES[error.kind];
  const hasFields = Object.keys(error.fields).length > 0;
  if (hasFields) {
    const message = wording.validationMessage ?? errorText.invalidData;
    return { status, body: { message, errors: error.fields }, headers: {} };
  }
  const { message } = error;
  if (status === 401) return { status, body: { message }, headers: { 'WWW-Authenticate': 'Bearer' } };
  if (status === 503) return unavailable(message);
  if (status === 429) return tooMany(DEFAULT_RETRY_SECONDS, message);
  const { retryAfterSeconds: seconds } = error;
  return { status, body: { message }, headers: seconds === null ? {} : { 'Retry-After': String(seconds) } };
}

function unavailable(message: string): HttpError {
  return { status: 503, body: { message }, headers: { ...UNAVAILABLE_RETRY_HEADERS } };
}

/** @param retrySeconds - whole seconds until the next request is allowed */
export function tooMany(retrySeconds: number, message: string = errorText.tooMany): HttpError {
  return {
    status: 429,
    body: { message, retry_after: retrySeconds },
    headers: { 'Retry-After': String(retrySeconds) },
  };
}
