/**
 * Upper bounds for messages from the network. A message beyond them is refused, never truncated.
 */

/** Maximum size of a message, bytes: the largest UDP payload; the same limit holds over TCP. */
export const MAX_MESSAGE_BYTES = 65_535;
/** Maximum size of a body, bytes; session descriptions have one or two thousand. Beyond it a request gets 413. */
export const MAX_BODY_BYTES = 16_384;
/** Maximum number of header lines of a message. */
export const MAX_HEADER_FIELDS = 256;
/** Maximum number of entries of a list-valued field (Via, Route, Record-Route): the initial Max-Forwards of RFC 3261. */
export const MAX_LIST_ENTRIES = 70;
/** RFC 3261 section 8.1.1.5: the CSeq number "MUST be less than 2**31". */
export const MAX_SEQUENCE = 2 ** 31 - 1;
/** Maximum number of reliable provisional responses of one fork that we acknowledge. */
export const MAX_RELIABLE_RESPONSES = 100;
/** Maximum number of INVITEs of one outbound call: after challenges, redirects, and intervals that were too small. */
export const MAX_INVITES = 12;
/** Maximum number of forks of one INVITE that we track. */
export const MAX_FORKS = 32;
