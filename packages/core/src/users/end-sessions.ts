/** Ends sessions of a user so that neither a rotation nor a sign-in in progress keeps one alive. */
import { LockMode, Session, SignInLink, User, type Transaction, type UserRow } from '@parley/db';

/**
 * Every transaction that adds a session or a cookie locks the user first, so that it either ends before this lock is
 * granted or sees what the holder has committed.
 *
 * @returns null when the user does not exist
 */
export async function lockUser({ em }: Transaction, userId: number): Promise<UserRow | null> {
  return em.findOne(User, { id: userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/**
 * Ends all sessions of a locked user and their unused sign-in links.
 *
 * @param exceptSignInId - the sign-in that continues
 */
export async function endAllSessions(
  { em }: Transaction,
  userId: number,
  exceptSignInId?: string,
): Promise<void> {
  const others = exceptSignInId === undefined ? {} : { signInId: { $ne: exceptSignInId } };
  await em.nativeDelete(Session, { userId, ...others });
  await em.nativeDelete(SignInLink, { userId });
}
