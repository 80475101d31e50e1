/** Recovery codes: each replaces a code of the authenticator app once, for users who have lost their phone. */
import { RecoveryCode, type Transaction } from '@parley/db';
import { Secret } from 'otpauth';
import { hashSecret } from '../shared/random-secret.ts';

const COUNT = 10;
/** 80 random bits, which cannot be guessed from their SHA-256, as 16 characters of base32. */
const BYTES = 10;

/**
 * Replaces all recovery codes of a locked user.
 *
 * @returns the codes, which are shown only once
 */
export async function replaceRecoveryCodes({ em }: Transaction, userId: number): Promise<string[]> {
  await em.nativeDelete(RecoveryCode, { userId });
  const codes = Array.from({ length: COUNT }, () => new Secret({ size: BYTES }).base32.toLowerCase());
  for (const code of codes) em.create(RecoveryCode, { codeHash: hashSecret(code), userId });
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'));
}

/**
 * @param code - lower case, without hyphens
 * @returns false when the user has no such code left
 */
export async function redeemRecoveryCode(
  { em }: Transaction,
  userId: number,
  code: string,
): Promise<boolean> {
  return (await em.nativeDelete(RecoveryCode, { userId, codeHash: hashSecret(code) })) > 0;
}
