/**
 * The session keys of SRTP and SRTCP, derived from one master key and salt (RFC 3711 section 4.3) with a derivation rate of
 * zero: once per master key.
 */
import { createCipheriv } from 'node:crypto';

/** The keys of one direction and one protocol. */
export interface SessionKeys {
  /** AES-128, 16 bytes. */
  encryption: Uint8Array;
  /** HMAC-SHA1, 20 bytes. */
  authentication: Uint8Array;
  /** 14 bytes. */
  salt: Uint8Array;
}

const KEY_BYTES = 16;
const SALT_BYTES = 14;
const AUTHENTICATION_BYTES = 20;
/** Section 4.3.2: the first label of each protocol; the authentication key and the salt have the two after it. */
const FIRST_LABEL = { rtp: 0x00, rtcp: 0x03 } as const;
/** The position of the label in the 112 bits of the salt: above the 48 bits of the index, which stays zero. */
const LABEL_AT = 7;

/**
 * Derives the keys of one protocol.
 *
 * @param master - master key and master salt, 30 bytes
 * @throws RangeError for another length
 */
export function deriveSessionKeys(master: Uint8Array, protocol: keyof typeof FIRST_LABEL): SessionKeys {
  if (master.length !== KEY_BYTES + SALT_BYTES)
    throw new RangeError('A master key has 16 bytes, its salt 14');
  const first = FIRST_LABEL[protocol];
  return {
    encryption: derive(master, first, KEY_BYTES),
    authentication: derive(master, first + 1, AUTHENTICATION_BYTES),
    salt: derive(master, first + 2, SALT_BYTES),
  };
}

/** Section 4.3.3: the key stream of AES in counter mode, from the counter (salt XOR label) * 2^16. */
function derive(master: Uint8Array, label: number, byteCount: number): Uint8Array {
  const counter = new Uint8Array(16);
  counter.set(master.subarray(KEY_BYTES));
  counter[LABEL_AT] = (counter[LABEL_AT] ?? 0) ^ label;
  const cipher = createCipheriv('aes-128-ctr', master.subarray(0, KEY_BYTES), counter);
  return new Uint8Array(cipher.update(new Uint8Array(byteCount)));
}
