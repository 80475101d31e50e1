/** Errors of use cases. `api/http-errors.ts` translates each kind to a status. */

import type { ErrorCode } from '@parley/contracts';

/** The kind of error, which determines the HTTP status. */
export type DomainErrorKind =
  | 'not-found'
  | 'invalid'
  | 'conflict'
  | 'forbidden'
  | 'unauthenticated'
  | 'unavailable'
  | 'too-many';

/** Messages per field, in the wording of the API. */
export type FieldMessages = Record<string, string[]>;

/** An error whose message may be shown to the client. */
export class DomainError extends Error {
  readonly kind: DomainErrorKind;
  /** Empty when no single field is at fault. */
  readonly fields: FieldMessages;
  /** Seconds until the same request may succeed; null when waiting does not help or the time is not known. */
  readonly retryAfterSeconds: number | null;
  /** More precise than the code that follows from the status; null where there is none. */
  readonly code: ErrorCode | null;

  constructor(
    kind: DomainErrorKind,
    message: string,
    options: { fields?: FieldMessages; cause?: unknown; retryAfterSeconds?: number; code?: ErrorCode } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'DomainError';
    this.kind = kind;
    this.fields = options.fields ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.code = options.code ?? null;
  }
}

/**
 * A voice process that lost its lease tried to write about a call. It must release the call; a retry cannot succeed.
 */
export class FencedError extends DomainError {
  constructor(callId: number) {
    super('conflict', `Another process is responsible for call ${callId}.`);
    this.name = 'FencedError';
  }
}
