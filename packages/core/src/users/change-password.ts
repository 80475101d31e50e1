/** Change of the own password. */
import { errorText } from '@parley/contracts';
import { Session, User } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { endAllSessions, lockUser } from './end-sessions.ts';
import { hashPassword } from './password.ts';
import { requirePassword, requireSamePassword, type GivenPassword } from './require-password.ts';
import type { FoundSession } from './session.ts';

/** The password of a user. */
export interface PasswordState {
  is_set: boolean;
  /** Whether the current password must be given to change it. */
  is_current_asked: boolean;
}

/** The current password is not asked for shortly after a sign-in by link: the user may have forgotten it. */
export async function readPasswordState(ctx: CoreContext, session: FoundSession): Promise<PasswordState> {
  const isSet = (await ctx.db.em.count(User, { id: session.userId, passwordHash: { $ne: null } })) > 0;
  return { is_set: isSet, is_current_asked: isSet && !(await mayReset(ctx, session)) };
}

/**
 * Within an hour after a sign-in by link the current password is not asked for, and may be replaced once. Ends all other
 * sessions of the user and the unused sign-in links. API tokens stay valid.
 *
 * @throws DomainError `invalid` for a wrong current password and for a new one that is too short or too long, `too-many`
 *   when the attempts of a limit are used up, `conflict` when the password was changed at the same time
 */
export async function changePassword(
  ctx: CoreContext,
  session: FoundSession,
  input: GivenPassword & { new_password: string },
): Promise<void> {
  const passwordHash = await currentHash(ctx, session, input);
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
    await tx.em.nativeUpdate(Session, { signInId: session.signInId }, { passwordResetUntil: null });
  });
}

async function mayReset(ctx: CoreContext, { signInId }: FoundSession): Promise<boolean> {
  return (await ctx.db.em.count(Session, { signInId, passwordResetUntil: { $gt: now(ctx) } })) > 0;
}

async function currentHash(
  ctx: CoreContext,
  session: FoundSession,
  input: GivenPassword,
): Promise<string | null> {
  if (!(await mayReset(ctx, session))) return requirePassword(ctx, session, input);
  return (await ctx.db.em.findOneOrFail(User, { id: session.userId })).passwordHash;
}
