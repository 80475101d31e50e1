/**
 * The one error that parsing may throw. Everything that arrives from a socket is hostile until parsed; whoever parses
 * catches exactly this.
 */
/** A message, header field or URI that breaks the grammar of RFC 3261 section 25. */
export class SipParseError extends Error {
  /** The response status that says so to the sender: 400, 413, 416, 505, … */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'SipParseError';
    this.status = status;
  }
}

/** Makes the usual error: 400 Bad Request. The sentence must not repeat what the sender wrote (personal data). */
export function malformed(message: string): SipParseError {
  return new SipParseError(400, message);
}
