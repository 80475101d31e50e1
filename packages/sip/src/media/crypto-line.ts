/**
 * The keys of SRTP in a session description (RFC 4568):
 *
 *     a=crypto:<tag> <suite> inline:<key and salt, base64>[|lifetime][|MKI:length] [session parameters]
 */

/** RFC 4568 section 6.2: AES-128 in counter mode, with 80 or 32 bits of authentication for each RTP packet. */
export const cryptoSuites = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const;
export type CryptoSuite = (typeof cryptoSuites)[number];

/** One usable line. */
export interface CryptoLine {
  /** The answer repeats the tag of the line that it accepts. */
  tag: number;
  suite: CryptoSuite;
  /** Master key (16 bytes) and salt (14 bytes) of the side that writes the line, in base64. */
  key: string;
}

/** The agreed encryption of both directions; the keys are in base64. */
export interface MediaEncryption {
  suite: CryptoSuite;
  /** We encrypt with it. */
  localKey: string;
  /** The far end encrypts with it. */
  remoteKey: string;
}

/** Master key and salt of both suites, bytes. */
export const MASTER_KEY_BYTES = 30;

/**
 * RFC 4568 section 6.3.7: a line with an unknown session parameter is not acceptable, and the known ones but WSH, a hint for
 * the replay window, change what is encrypted. `UNENCRYPTED_SRTP` is therefore refused.
 */
const USABLE = /^a=crypto:\d{1,9} \w+ inline:\S+(?: WSH=\d{1,9})?\s*$/;
/** One key of 30 bytes, perhaps with its lifetime, and without an MKI, which only tells several keys apart. */
const INLINE_KEY = /^inline:([A-Za-z0-9+/]{40})(?:\|(?:2\^)?\d{1,20})?$/;

/** Whether a line of a description can be read by {@link readInlineKey}. */
export function isUsableCrypto(line: string): boolean {
  return USABLE.test(line);
}

/** @returns null when the key is malformed or has an MKI */
export function readInlineKey(parameters: string): string | null {
  return INLINE_KEY.exec(parameters)?.[1] ?? null;
}

export function isSuite(suite: unknown): suite is CryptoSuite {
  return cryptoSuites.some((known) => known === suite);
}
