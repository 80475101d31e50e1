/** Signing in with e-mail and password. */
import { User } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { emailKey, publicUser } from './create-user.ts';
import type { PublicUser } from './identity.ts';
import { verifyPassword } from './password.ts';
import { createSession, type SessionCookie } from './session.ts';
import { countSignInAttempt, forgetSignInAttempts, type SignInSource } from './sign-in-limit.ts';

/** A session that has just begun. */
export interface SignedIn {
  /** Value of the cookie `parley_session`. */
  cookie: string;
  expiresAt: Date;
  user: PublicUser;
}

/**
 * @param signal - aborted when the client disconnects
 * @returns null when the address is unknown or the password is wrong
 * @throws DomainError `too-many` when the attempts of a limit are used up (sign-in-limit.ts)
 */
export async function signIn(
  ctx: CoreContext,
  input: SignInSource & { password: string },
  signal?: AbortSignal,
): Promise<SignedIn | null> {
  await countSignInAttempt(ctx, input);
  // A client that has disconnected gets no answer, so its password is not hashed.
  signal?.throwIfAborted();
  const user = await ctx.db.em.findOne(User, { email: emailKey(input.email) });
  const isRight = await verifyPassword(user?.passwordHash ?? null, input.password);
  if (!user || !isRight) return null;
  await forgetSignInAttempts(ctx, input);
  return signedIn(user, await ctx.db.transaction((tx) => createSession(ctx, tx, user.id)));
}

/** The answer to a successful sign-in. */
export function signedIn(user: PublicUser, cookie: SessionCookie): SignedIn {
  return { cookie: cookie.value, expiresAt: cookie.expiresAt, user: publicUser(user) };
}
