/** What the client throws: the api's refusal with all it says, or the fact that the api could not be reached. */

/** Field name, as sent, to the texts about it. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

/** What a {@link ParleyError} is made of. */
export interface ErrorFacts<Status extends number = number> {
  status: Status;
  message: string;
  errors: FieldMessages;
  requestId: string | null;
  retryAfterSeconds: number | null;
  body: unknown;
}

/** An answer of the api that is no success. */
export class ParleyError<Status extends number = number> extends Error {
  override readonly name = 'ParleyError';
  readonly status: Status;
  /** Faults by field; empty unless the status is 422 and single fields are at fault. */
  readonly errors: FieldMessages;
  /** `X-Request-Id`: under it the server's log tells more. */
  readonly requestId: string | null;
  /** How long the api asks to wait; null where it does not say. */
  readonly retryAfterSeconds: number | null;
  /** The whole body: parsed JSON, or text where something in between answered. */
  readonly body: unknown;

  constructor(facts: ErrorFacts<Status>) {
    super(facts.message);
    this.status = facts.status;
    this.errors = facts.errors;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.body = facts.body;
  }
}

/** No answer at all: unreachable, cut off, or too slow. A request that was not repeatable may have been done. */
export class ParleyConnectionError extends Error {
  override readonly name = 'ParleyConnectionError';
}

/**
 * Tells our error from others, and one status from the rest.
 *
 * @param status - one that is asked for; without it any
 */
export function isParleyError<const Status extends number = number>(
  error: unknown,
  status?: Status,
): error is ParleyError<Status> {
  return error instanceof ParleyError && (status === undefined || error.status === status);
}

/** The error of an answer, whoever gave it: a proxy's has no message of ours. */
export function toParleyError(answer: { status: number; body: unknown; headers: Headers }): ParleyError {
  const { message, errors } = isRecord(answer.body) ? answer.body : {};
  return new ParleyError({
    status: answer.status,
    message: typeof message === 'string' ? message : `The server answered with status ${answer.status}.`,
    errors: isRecord(errors) ? (errors as FieldMessages) : {},
    requestId: answer.headers.get('x-request-id'),
    retryAfterSeconds: retryAfterOf(answer.headers),
    body: answer.body,
  });
}

/**
 * `Retry-After` in seconds, also where it is a date: counted from the answer's own `Date`, so that a wrong clock on
 * this side does no harm.
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
