/**
 * Upper bounds for what a stranger may make us hold or look at. A message beyond them is refused, never truncated.
 */

/** Largest message, bytes: the largest UDP payload, and the same over TCP. */
export const MAX_MESSAGE_BYTES = 65_535;
/** Most header fields of a message, after splitting nothing: one per line. */
export const MAX_HEADER_FIELDS = 256;
/** Most entries of one list-valued header (Via, Route, Record-Route). RFC 3261 starts Max-Forwards at 70. */
export const MAX_LIST_ENTRIES = 70;
/** Largest CSeq number (RFC 3261 section 8.1.1.5: below 2^31). */
export const MAX_SEQUENCE = 2 ** 31 - 1;
/** Most answers or rings of different ends to one INVITE (forks); no real proxy rings more. */
export const MAX_FORKS = 32;
