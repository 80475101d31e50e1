/** What breaks a promise of the business. `api/http-errors.ts` turns kinds into statuses; nothing else looks at them. */

/** What kind of promise was broken; the edge turns it into a status. */
export type DomainErrorKind =
  | 'not-found'
  | 'invalid'
  | 'conflict'
  | 'forbidden'
  | 'unauthenticated'
  | 'unavailable'
  | 'too-many';

/** Messages per field, in the words of the API. */
export type FieldMessages = Record<string, string[]>;

/** An error whose message may be shown to the client. */
export class DomainError extends Error {
  readonly kind: DomainErrorKind;
  /** Empty when no single field is to blame. */
  readonly fields: FieldMessages;
  /** When the same request may succeed; null where waiting does not help, or where it is not known. */
  readonly retryAfterSeconds: number | null;

  constructor(
    kind: DomainErrorKind,
    message: string,
    options: { fields?: FieldMessages; cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'DomainError';
    this.kind = kind;
    this.fields = options.fields ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** A voice process that lost its lease tried to write about a call. It must let go of the call; trying again is useless. */
export class FencedError extends DomainError {
  constructor(callId: number) {
    super('conflict', `Another process is responsible for call ${callId}.`);
    this.name = 'FencedError';
  }
}
