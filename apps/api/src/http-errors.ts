/**
 * The one table that turns what went wrong into a status and a body, for REST and tRPC alike. Nothing internal leaves
 * the process: an error nobody expected becomes a plain 500, and the log has the rest under the request's id.
 */
import { errorText, type RouteMetadata } from '@parley/contracts';
import { DomainError, type DomainErrorKind, type FieldMessages } from '@parley/core';

/** What goes over the wire. */
export interface HttpError {
  status: number;
  body: { message: string; errors?: FieldMessages; retry_after?: number };
  headers: Record<string, string>;
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

/** Seconds a client is asked to wait where nobody knows better. */
const DEFAULT_RETRY_SECONDS = 60;

/** Thrown where a request is refused with an answer that is ready. */
export class RefusedRequest extends Error {
  readonly answer: HttpError;

  constructor(answer: HttpError) {
    super(answer.body.message);
    this.answer = answer;
  }
}

/** A refusal that has nothing to say but its message. */
export function refusal(status: number, message: string): RefusedRequest {
  return new RefusedRequest({ status, body: { message }, headers: {} });
}

type Wording = Pick<RouteMetadata, 'validationMessage' | 'failureMessage'>;

/** @param wording - what the endpoint calls its own errors */
export function toHttpError(error: unknown, wording: Wording = {}): HttpError {
  if (error instanceof DomainError) return fromDomain(error, wording);
  if (error instanceof RefusedRequest) return error.answer;
  if (error instanceof URIError) return { status: 404, body: { message: errorText.notFound }, headers: {} };
  return { status: 500, body: { message: wording.failureMessage ?? errorText.serverError }, headers: {} };
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
  if (status === 429) return tooMany(DEFAULT_RETRY_SECONDS, message);
  return { status, body: { message }, headers: {} };
}

/** @param retrySeconds - whole seconds until another try makes sense */
export function tooMany(retrySeconds: number, message: string = errorText.tooMany): HttpError {
  return {
    status: 429,
    body: { message, retry_after: retrySeconds },
    headers: { 'Retry-After': String(retrySeconds) },
  };
}
