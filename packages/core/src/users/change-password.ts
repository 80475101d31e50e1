/** Change of the own password. */
import { errorText } from '@parley/contracts';
import { User } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { endAllSessions, lockUser } from './end-sessions.ts';
import { hashPassword } from './password.ts';
import { requirePassword, requireSamePassword, type GivenPassword } from './require-password.ts';
import type { FoundSession } from './session.ts';

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
  input: GivenPassword & { new_password: string },
): Promise<void> {
  const passwordHash = await requirePassword(ctx, session, input);
  const newHash = await hashPassword(input.new_password).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    const fields = { new_password: [error.message] };
    throw new DomainError('invalid', errorText.invalidData, { fields, cause: error });
  });
  await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, session.userId);
    requireSamePassword(user?.passwordHash, passwordHash);
    if (user) user.passwordHash = newHash;
    await endAllSessions(tx, session.userId, session.signInId);
  });
}
