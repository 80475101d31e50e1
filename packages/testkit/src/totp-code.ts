/** What an authenticator app shows. */
import { TOTP } from 'otpauth';

/** @param secret - base32 */
export function totpCode(secret: string, atMs: number): string {
  return new TOTP({ secret }).generate({ timestamp: atMs });
}
