/** The errors of the client: an error response of the api, or the lack of a response. */

/** Field name, as sent, to the texts about it. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

/** The content of a {@link ParleyError}. */
export interface ErrorFacts<Status extends number = number> {
  status: Status;
  message: string;
  code: string | null;
  errors: FieldMessages;
  requestId: string | null;
  retryAfterSeconds: number | null;
  body: unknown;
}

/** An error response of the api. */
export class ParleyError<Status extends number = number> extends Error {
  override readonly name = 'ParleyError';
  readonly status: Status;
  /** `X-Error-Code`, which /docs/errors of the server explains; null where the response has none. */
  readonly code: string | null;
  /** Messages by field; empty unless the status is 422 and concerns single fields. */
  readonly errors: FieldMessages;
  /** `X-Request-Id`, under which the log of the server has details. */
  readonly requestId: string | null;
  /** `Retry-After`; null where the response has none. */
  readonly retryAfterSeconds: number | null;
  /** The whole body: parsed JSON, or text if it is not JSON, for example from a proxy. */
  readonly body: unknown;

  constructor(facts: ErrorFacts<Status>) {
    super(facts.message);
    this.status = facts.status;
    this.code = facts.code;
    this.errors = facts.errors;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.body = facts.body;
  }
}

/** There was no response: unreachable, disconnected, or too slow. The server may have carried out the request. */
export class ParleyConnectionError extends Error {
  override readonly name = 'ParleyConnectionError';
}

/**
 * Whether an error is a {@link ParleyError}, optionally with a certain status.
 *
 * @param status - without it, any status matches
 */
export function isParleyError<const Status extends number = number>(
  error: unknown,
  status?: Status,
): error is ParleyError<Status> {
  return error instanceof ParleyError && (status === undefined || error.status === status);
}

/** The error for a response, which may come from a proxy and have no message. */
export function toParleyError(answer: { status: number; body: unknown; headers: Headers }): ParleyError {
  const { message, errors } = isRecord(answer.body) ? answer.body : {};
  return new ParleyError({
    status: answer.status,
    message: typeof message === 'string' ? message : `The server answered with status ${answer.status}.`,
    code: answer.headers.get('x-error-code'),
    errors: isRecord(errors) ? (errors as FieldMessages) : {},
    requestId: answer.headers.get('x-request-id'),
    retryAfterSeconds: retryAfterOf(answer.headers),
    body: answer.body,
  });
}

/**
 * `Retry-After` in seconds. A date is relative to the `Date` of the response, so that a wrong local clock does not
 * matter.
 */
export function retryAfterOf(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.parse(headers.get('date') ?? '')) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, Math.ceil(seconds));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
