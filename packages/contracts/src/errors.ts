/**
 * Bodies of errors. Every one is JSON with `message`; validation adds `errors`, the rate limit adds `retry_after`.
 * See docs/api.md, "Errors, in general".
 */
import { z } from 'zod';

/** The body of errors that have a message only. */
export const errorBody = z
  .strictObject({ message: z.string() })
  .meta({ id: 'Error', description: 'What went wrong, as one sentence.' });

/** 422: the faults by field. `errors` is absent if the error concerns no field. */
export const validationErrorBody = z
  .strictObject({ message: z.string(), errors: z.record(z.string(), z.array(z.string())).optional() })
  .meta({ id: 'ValidationError', description: 'A text for each fault, by field.' });

/** 429: wait `retry_after` seconds, as the header `Retry-After` says too. */
export const rateLimitBody = z
  .strictObject({ message: z.string(), retry_after: z.int() })
  .meta({ id: 'TooManyRequests' });

const MEBIBYTE = 1024 ** 2;

/** Texts of errors that are common to all endpoints. */
export const errorText = {
  notJson: 'The request body is not valid JSON.',
  notJsonType: 'The request body must be JSON (Content-Type: application/json).',
  tooLarge: 'The request body must not be larger than 1 MiB.',
  tooLargeFor: (bytes: number) =>
    `The request body must not be larger than ${bytes < MEBIBYTE ? `${bytes / 1024} KiB` : `${bytes / MEBIBYTE} MiB`}.`,
  tooManyValues: (most: number) =>
    `The request body must not have more than ${most.toLocaleString('en')} values.`,
  notCsvType: 'The request body must be CSV (Content-Type: text/csv).',
  uploadTooLarge: 'The file must not be larger than 1 GiB.',
  uploadCutOff: 'The upload was interrupted. Send the file again with the same Idempotency-Key to continue.',
  tooSlow: 'The request did not arrive in time.',
  unauthenticated: 'Unauthenticated.',
  notFound: 'Not Found',
  methodNotAllowed: 'Method Not Allowed',
  tooMany: 'Too Many Attempts.',
  serverError: 'Server Error',
  unavailable: 'Service Unavailable',
  /** The `message` of a validation error, unless the API reference has another. */
  invalidData: 'The given data was invalid.',
  /** The `message` when assistants, leads and campaigns are written. */
  validationFailed: 'Validation failed',
  missingScope: (scope: string) => `This token lacks the scope "${scope}".`,
  missingRole: (role: string) => `This needs the role "${role}".`,
} as const;

/** Statuses that every authenticated endpoint may answer with. */
export const commonErrors = {
  401: errorBody,
  403: errorBody,
  429: rateLimitBody,
  500: errorBody,
  503: errorBody,
} as const;

/** Statuses of endpoints that read a body. 409: a request with the same `Idempotency-Key` is still running. */
export const bodyErrors = {
  400: errorBody,
  408: errorBody,
  409: errorBody,
  413: errorBody,
  415: errorBody,
  422: validationErrorBody,
} as const;

/** Statuses of endpoints that read a query only. */
export const queryErrors = { 422: validationErrorBody } as const;

/** Statuses of endpoints that name one resource. */
export const singleErrors = { 404: errorBody } as const;
