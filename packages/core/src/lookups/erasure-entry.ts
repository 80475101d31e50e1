/** The reason of a do-not-call entry that exists only while a person is erased. An opt-out on a call replaces it. */
export const ERASURE_REASON = 'An erasure of this number is in progress';
