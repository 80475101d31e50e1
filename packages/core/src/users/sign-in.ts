/** Signing in with e-mail and password. */
import { User } from '@parley/db';
import { auditCommitted } from '../audit/audit-log.ts';
import type { CoreContext } from '../context.ts';
import { emailKey, publicUser } from './create-user.ts';
import type { PublicUser } from './identity.ts';
import { verifyPassword } from './password.ts';
import { lockUser } from './end-sessions.ts';
import { createSession, type SessionCookie, type SignInOrigin } from './session.ts';
import { requireSecondFactor } from './require-second-factor.ts';
import {
  countCodeAttempt,
  countSignInAttempt,
  forgetCodeAttempts,
  forgetSignInAttempts,
  type SignInSource,
} from './sign-in-limit.ts';

/** A session that has just begun. */
export interface SignedIn {
  /** Value of the cookie `parley_session`. */
  cookie: string;
  expiresAt: Date;
  user: PublicUser;
}

/**
 * The answer to a wrong password does not depend on the second factor.
 *
 * @param signal - aborted when the client disconnects
 * @returns null when the address is unknown, the password is wrong, or the user is disabled
 * @throws DomainError `too-many` when the attempts of a limit are used up (sign-in-limit.ts); `invalid` for the field `code` when
 *   the password is right, the second factor is on, and the code is missing or wrong
 */
export async function signIn(
  ctx: CoreContext,
  input: SignInSource & SignInOrigin & { password: string; code?: string | undefined },
  signal?: AbortSignal,
): Promise<SignedIn | null> {
  await countSignInAttempt(ctx, input);
  // A client that has disconnected gets no answer, so its password is not hashed.
  signal?.throwIfAborted();
  const user = await ctx.db.em.findOne(User, { email: emailKey(input.email) });
  const isRight = await verifyPassword(user?.passwordHash ?? null, input.password);
  const audit = signInAudit(ctx, { userId: user?.id ?? null, networkAddress: input.networkAddress });
  if (!user || !isRight) {
    await audit('refused');
    return null;
  }
  if (input.code !== undefined) await countCodeAttempt(ctx, user.id);
  const entering = ctx.db.transaction(async (tx) => {
    const current = await lockUser(tx, user.id);
    // The password was changed while this one was compared, so that the new session would outlive the change.
    if (current?.passwordHash !== user.passwordHash || current.disabledAt !== null) return null;
    await requireSecondFactor(ctx, tx, current, input.code);
    return signedIn(current, await createSession(ctx, tx, current.id, input));
  });
  const entered = await auditedSignIn(entering, audit, input.code);
  // Not earlier: repeated passwords without a code must not reset the limits of codes.
  await forgetSignInAttempts(ctx, input);
  if (input.code !== undefined) await forgetCodeAttempts(ctx, user.id);
  return entered;
}

type SignInAudit = (outcome: 'done' | 'refused') => Promise<void>;

/** Adds entries of one sign-in to the audit log. */
export function signInAudit(
  ctx: CoreContext,
  from: { userId: number | null; networkAddress: string },
): SignInAudit {
  return (outcome) => auditCommitted(ctx, { ...from, channel: 'app', operation: 'session.signIn', outcome });
}

/** A request without a code only asks whether one is needed, so its error is not a refusal. */
export async function auditedSignIn(
  entering: Promise<SignedIn | null>,
  audit: SignInAudit,
  code: string | undefined,
): Promise<SignedIn | null> {
  try {
    const entered = await entering;
    await audit(entered ? 'done' : 'refused');
    return entered;
  } catch (error) {
    if (code !== undefined) await audit('refused');
    throw error;
  }
}

/** The answer to a successful sign-in. */
export function signedIn(user: PublicUser, cookie: SessionCookie): SignedIn {
  return { cookie: cookie.value, expiresAt: cookie.expiresAt, user: publicUser(user) };
}
