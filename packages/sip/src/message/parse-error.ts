/**
 * The only error that parsing throws. Callers of a parser catch exactly this class.
 */
/** A message, header field or URI that violates the grammar of RFC 3261 section 25. */
export class SipParseError extends Error {
  /** The status of the response to the sender: 400, 413, 416, 505, … */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'SipParseError';
    this.status = status;
  }
}

/** Creates the usual error: 400 Bad Request. The message must not contain input of the sender (personal data). */
export function malformed(message: string): SipParseError {
  return new SipParseError(400, message);
}
