/**
 * Time-based one-time passwords (RFC 6238) with the parameters that every authenticator app supports: six digits, SHA-1,
 * steps of 30 s.
 */
import { Secret, TOTP } from 'otpauth';

/** RFC 4226, section 4: "This document RECOMMENDs a shared secret length of 160 bits." */
const SECRET_BYTES = 20;
/**
 * Steps before and after the current one whose codes are valid too. RFC 6238, section 5.2: "We RECOMMEND that at most one
 * time step is allowed as the network delay."
 */
const SKEW_STEPS = 1;

/** A new random secret in base32. */
export function makeTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address that an authenticator app reads from a QR code. */
export function totpAddress(secret: string, email: string): string {
  return new TOTP({ issuer: 'Parley', label: email, secret }).toString();
}

/** True for six ASCII digits. */
export function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/** @returns the time step of a valid code; null for any other text */
export function stepOfCode(secret: string, code: string, atMs: number): number | null {
  // The library throws for other texts of six characters.
  if (!isTotpCode(code)) return null;
  const window = SKEW_STEPS;
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), timestamp: atMs, window });
  return delta === null ? null : TOTP.counter({ timestamp: atMs }) + delta;
}
