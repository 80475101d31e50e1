/**
 * Randomness comes from outside, so that tests repeat exactly and production uses the system's generator.
 */

/** Returns that many random bytes; cryptographically strong in production, seeded in tests. */
export type RandomSource = (byteCount: number) => Uint8Array;

/** A random lower-case hexadecimal word, two characters a byte: tags, branches, cnonces. */
export function randomToken(random: RandomSource, byteCount = 8): string {
  return Buffer.from(random(byteCount)).toString('hex');
}
