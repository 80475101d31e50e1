/**
 * Randomness is injected, so that tests are repeatable while production uses the system's generator.
 */

/** Returns random bytes: cryptographically strong in production, seeded in tests. */
export type RandomSource = (byteCount: number) => Uint8Array;

/** A random lower-case hexadecimal token of two characters per byte, for tags, branches and client nonces. */
export function randomToken(random: RandomSource, byteCount = 8): string {
  return Buffer.from(random(byteCount)).toString('hex');
}
