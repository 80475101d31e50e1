/**
 * The form of API tokens: `parley_`, 32 random bytes in base 62, and their CRC-32 in base 62, so that secret scanners
 * can recognise a token offline.
 */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'parley_';
const RANDOM_BYTES = 32;
/** 62^43 > 2^256 and 62^6 > 2^32. */
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The length of the prefix that is stored in the clear and shown in lists. */
const SHOWN_LENGTH = PREFIX.length + 6;

/** A new random token. */
export function makeApiToken(): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`);
  const start = PREFIX + base62(random, RANDOM_LENGTH);
  return start + base62(BigInt(crc32(start)), CHECKSUM_LENGTH);
}

/** What a list shows of a token. */
export function shownPrefix(token: string): string {
  return token.slice(0, SHOWN_LENGTH);
}

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest /= 62n)
    digits = `${ALPHABET[Number(rest % 62n)]}${digits}`;
  return digits;
}
