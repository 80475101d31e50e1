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
  return start + checksumOf(start);
}

/** True for the output of {@link makeApiToken}; tokens preset for automation may have any form. */
export function isApiToken(text: string): boolean {
  const start = text.slice(0, -CHECKSUM_LENGTH);
  return /^parley_[0-9A-Za-z]{49}$/.test(text) && text.endsWith(checksumOf(start));
}

/** What a list shows of a token. */
export function shownPrefix(token: string): string {
  return token.slice(0, SHOWN_LENGTH);
}

function checksumOf(start: string): string {
  return base62(BigInt(crc32(start)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest /= 62n)
    digits = `${ALPHABET[Number(rest % 62n)]}${digits}`;
  return digits;
}
