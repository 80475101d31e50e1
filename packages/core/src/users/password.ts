/** Passwords: argon2id with the library's defaults (19 MiB, two passes), which are OWASP's. */
import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../shared/domain-error.ts';

const MIN_LENGTH = 8;
/** Longer ones are refused rather than cut. */
const MAX_LENGTH = 1000;

/** @throws DomainError `invalid` when the password is too short or too long */
export async function hashPassword(password: string): Promise<string> {
  const length = Array.from(password).length;
  if (length < MIN_LENGTH || length > MAX_LENGTH) {
    const message = `The password must have ${MIN_LENGTH} to ${MAX_LENGTH} characters.`;
    throw new DomainError('invalid', message, { fields: { password: [message] } });
  }
  return hash(password);
}

/** The hash of a password that no user has, so that an unknown user takes as long as a wrong password. */
let nobodysHash: Promise<string> | undefined;

/** @param passwordHash - null for a user who is unknown or has no password; the result is then false, after the same time */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (password.length > MAX_LENGTH) return false;
  nobodysHash ??= hash('nobody has this password');
  const isRight = await verify(passwordHash ?? (await nobodysHash), password);
  return isRight && passwordHash !== null;
}
