/** Signing in with e-mail and password. */
import { statement } from '@parley/db';
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

const findUserByEmail = statement<PublicUser & { passwordHash: string | null }>(
  'find_user_by_email',
  `select id, name, email, role, password_hash from users where email = $1`,
);

/**
 * @returns null when address and password do not belong together
 * @throws DomainError `too-many` after repeated failures for this e-mail address from this network address
 */
export async function signIn(
  ctx: CoreContext,
  input: SignInSource & { password: string },
): Promise<SignedIn | null> {
  await countSignInAttempt(ctx, input);
  const [row] = await ctx.db.query(findUserByEmail, [emailKey(input.email)]);
  const isRight = await verifyPassword(row?.passwordHash ?? null, input.password);
  if (!row || !isRight) return null;
  await forgetSignInAttempts(ctx, input);
  return signedIn(row, await createSession(ctx, ctx.db, row.id));
}

/** The answer to anybody who has proved who they are. */
export function signedIn(user: PublicUser, cookie: SessionCookie): SignedIn {
  return { cookie: cookie.value, expiresAt: cookie.expiresAt, user: publicUser(user) };
}
