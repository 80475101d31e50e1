/**
 * Machine-readable codes of errors, sent in the header `X-Error-Code`: the bodies of errors are fixed by the API reference.
 * A code never changes its meaning; new ones may be added. See docs/api.md, "Errors, in general".
 */

/** Each code with its status and what a client can do about it. */
export const errorCodes = {
  bad_request: { status: 400, text: 'The request is not valid HTTP.' },
  invalid_json: { status: 400, text: 'The body is not JSON. Correct it before you send it again.' },
  upload_interrupted: {
    status: 400,
    text: 'The upload ended early. Send the whole file again with the same `Idempotency-Key` to continue.',
  },
  unauthenticated: { status: 401, text: 'The token is missing, unknown, expired or revoked.' },
  forbidden: { status: 403, text: 'The user may not do this.' },
  missing_scope: { status: 403, text: 'The token lacks the scope that the endpoint needs.' },
  missing_role: { status: 403, text: 'The user of the token lacks the role that the endpoint needs.' },
  not_found: {
    status: 404,
    text: 'The path or the resource does not exist, or the resource belongs to another user.',
  },
  method_not_allowed: { status: 405, text: 'The path exists for the methods that the header `Allow` lists.' },
  request_timeout: { status: 408, text: 'The request did not arrive in time. Send it again.' },
  conflict: {
    status: 409,
    text: 'The resource is in a state that does not allow this. The message gives the reason.',
  },
  idempotency_key_in_use: {
    status: 409,
    text: 'A request with this `Idempotency-Key` is still running. Repeat it after `Retry-After` seconds.',
  },
  reply_in_progress: {
    status: 409,
    text: 'The assistant is still replying to the message before. Repeat the request after `Retry-After` seconds.',
  },
  number_in_call: { status: 409, text: 'The number is already in a call of this user. Wait for its end.' },
  body_too_large: { status: 413, text: 'The body is larger than the endpoint accepts.' },
  unsupported_media_type: { status: 415, text: 'The `Content-Type` is not the one that the endpoint reads.' },
  validation_failed: {
    status: 422,
    text: 'Fields are missing or invalid. `errors` lists the faults by field.',
  },
  unknown_fields: {
    status: 422,
    text: 'The body has fields that the endpoint does not accept. The message lists them.',
  },
  not_possible: {
    status: 422,
    text: 'The request is valid but cannot be carried out. The message gives the reason.',
  },
  idempotency_key_reused: {
    status: 422,
    text: 'This `Idempotency-Key` was used for a different request. Use a new key.',
  },
  rate_limited: { status: 429, text: 'Too many requests. Repeat the request after `Retry-After` seconds.' },
  headers_too_large: { status: 431, text: 'The address and the headers are larger than 16 KiB together.' },
  server_error: {
    status: 500,
    text: "A fault of the server. The server's log has details under the value of `X-Request-Id`.",
  },
  unavailable: {
    status: 503,
    text: 'The server cannot answer at the moment. Repeat the request after `Retry-After` seconds.',
  },
} as const satisfies Record<string, { status: number; text: string }>;

/** One of {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;

/** The page that explains the codes; each code is the id of a section. */
export const ERROR_CODES_PATH = '/docs/errors';

/** The headers of an error with this code: the code, and a link to its explanation (RFC 8288). */
export function errorCodeHeaders(code: ErrorCode): Record<string, string> {
  return { 'X-Error-Code': code, Link: `<${ERROR_CODES_PATH}#${code}>; rel="help"` };
}
