/** Asks a signed-in user for the password again, before a change that a stolen session must not make. */
import { errorText } from '@parley/contracts';
import { User } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { verifyPassword } from './password.ts';
import type { FoundSession } from './session.ts';
import { countSignInAttempt, forgetSignInAttempts } from './sign-in-limit.ts';

/** The wire name, under which forms find its fault. */
export interface GivenPassword {
  /** Not asked for while the user has no password and signs in with links only. */
  current_password: string;
  networkAddress: string;
}

/**
 * The limits of signing in apply.
 *
 * @returns the hash of the password, to be compared again once the user is locked
 * @throws DomainError `invalid` for a wrong password, `too-many` when the attempts of a limit are used up
 */
export async function requirePassword(
  ctx: CoreContext,
  session: FoundSession,
  { current_password: password, networkAddress }: GivenPassword,
): Promise<string | null> {
  const source = { email: session.user.email, networkAddress };
  await countSignInAttempt(ctx, source);
  const { passwordHash } = await ctx.db.em.findOneOrFail(User, { id: session.userId });
  if (passwordHash !== null && !(await verifyPassword(passwordHash, password))) {
    const fields = { current_password: ['The current password is wrong.'] };
    throw new DomainError('invalid', errorText.invalidData, { fields });
  }
  await forgetSignInAttempts(ctx, source);
  return passwordHash;
}

/** @throws DomainError `conflict` when the password was changed since {@link requirePassword} */
export function requireSamePassword(current: string | null | undefined, given: string | null): void {
  if (current !== given)
    throw new DomainError('conflict', 'The password was changed at the same time. Try again.');
}
