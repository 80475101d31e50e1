/** Change of the own password. The limits of signing in apply to it: a stolen session must not serve to guess the password. */
import { errorText } from '@parley/contracts';
import { User } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { endAllSessions, lockUser } from './end-sessions.ts';
import { hashPassword, verifyPassword } from './password.ts';
import type { FoundSession } from './session.ts';
import { countSignInAttempt, forgetSignInAttempts } from './sign-in-limit.ts';

/** The wire names, under which forms find their faults. */
export interface PasswordChange {
  /** Not asked for while the user has no password and signs in with links only. */
  current_password: string;
  new_password: string;
}

/** Whether the user has a password, which must then be given to change it. */
export async function hasPassword(ctx: CoreContext, session: FoundSession): Promise<boolean> {
  return (await ctx.db.em.count(User, { id: session.userId, passwordHash: { $ne: null } })) > 0;
}

/**
 * Ends all other sessions of the user and the unused sign-in links. API tokens stay valid.
 *
 * @throws DomainError `invalid` for a wrong current password and for a new one that is too short or too long, `too-many`
 *   when the attempts of a limit are used up, `conflict` when the password was changed at the same time
 */
export async function changePassword(
  ctx: CoreContext,
  session: FoundSession,
  input: PasswordChange & { networkAddress: string },
): Promise<void> {
  const source = { email: session.user.email, networkAddress: input.networkAddress };
  await countSignInAttempt(ctx, source);
  const { passwordHash } = await ctx.db.em.findOneOrFail(User, { id: session.userId });
  if (passwordHash !== null && !(await verifyPassword(passwordHash, input.current_password)))
    throw fault('current_password', 'The current password is wrong.');
  const newHash = await hashPassword(input.new_password).catch((error: unknown) => {
    throw error instanceof DomainError ? fault('new_password', error.message) : error;
  });
  await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, session.userId);
    if (user?.passwordHash !== passwordHash)
      throw new DomainError('conflict', 'The password was changed at the same time. Try again.');
    user.passwordHash = newHash;
    await endAllSessions(tx, session.userId, session.signInId);
  });
  await forgetSignInAttempts(ctx, source);
}

function fault(field: keyof PasswordChange, message: string): DomainError {
  return new DomainError('invalid', errorText.invalidData, { fields: { [field]: [message] } });
}
