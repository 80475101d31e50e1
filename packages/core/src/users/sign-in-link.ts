/** Links that sign a user in once, such as the one printed at the first start. */
import { SignInLink, User } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { hashSecret, randomSecret } from '../shared/random-secret.ts';
import { lockUser } from './end-sessions.ts';
import { createSession, type SignInOrigin } from './session.ts';
import { requireSecondFactor } from './require-second-factor.ts';
import { countCodeAttempt, forgetCodeAttempts } from './sign-in-limit.ts';
import { auditedSignIn, signedIn, signInAudit, type SignedIn } from './sign-in.ts';

/** Lifetime of a link, milliseconds: it is printed on a terminal, whose content others may see later. */
const LINK_MS = 15 * 60_000;
/** How long after a sign-in by link the password may be set without the current one, milliseconds. */
const RESET_MS = 3_600_000;
const DISABLED = 'This user is disabled and cannot sign in. Enable the user first.';

/**
 * @param lifetimeMs - default: 15 minutes
 * @returns the secret for the link's address; valid for one use
 * @throws DomainError `conflict` when the user is disabled
 */
export async function createSignInLink(
  ctx: CoreContext,
  userId: number,
  lifetimeMs: number = LINK_MS,
): Promise<string> {
  const at = now(ctx);
  const secret = randomSecret();
  const expiresAt = new Date(at.getTime() + lifetimeMs);
  await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user && user.disabledAt !== null) throw new DomainError('conflict', DISABLED);
    await tx.em.nativeDelete(SignInLink, { expiresAt: { $lt: at } });
    tx.em.create(SignInLink, { secretHash: hashSecret(secret), userId, expiresAt, usedAt: null });
  });
  return secret;
}

/**
 * A wrong code leaves the link unused.
 *
 * @returns null when the secret is unknown, used or expired, or the user is disabled
 * @throws DomainError `invalid` for the field `code` when the second factor is on and the code is missing or wrong, `too-many` after
 *   many wrong codes
 */
export async function redeemSignInLink(
  ctx: CoreContext,
  secret: string,
  { code, ...origin }: SignInOrigin & { code?: string | undefined },
): Promise<SignedIn | null> {
  const at = now(ctx);
  const passwordResetUntil = new Date(at.getTime() + RESET_MS);
  const usable = { secretHash: hashSecret(secret), usedAt: null, expiresAt: { $gt: at } };
  const link = await ctx.db.em.findOne(SignInLink, usable);
  if (!link) return null;
  if (code !== undefined) await countCodeAttempt(ctx, link.userId);
  const entering = ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, link.userId);
    if (!user || user.disabledAt !== null) return null;
    // Of two uses at the same time, the second waits for the lock of the user and then finds no usable link.
    const used = await tx.em.nativeUpdate(SignInLink, usable, { usedAt: at });
    if (used === 0) return null;
    await requireSecondFactor(ctx, tx, user, code);
    return signedIn(user, await createSession(ctx, tx, user.id, { ...origin, passwordResetUntil }));
  });
  const { networkAddress } = origin;
  const entered = await auditedSignIn(
    entering,
    signInAudit(ctx, { userId: link.userId, networkAddress }),
    code,
  );
  if (entered && code !== undefined) await forgetCodeAttempts(ctx, link.userId);
  return entered;
}

/** Whether any user has ever signed in to the admin app. */
export async function hasAnyoneSignedIn(ctx: CoreContext): Promise<boolean> {
  return (await ctx.db.em.count(User, { lastSignInAt: { $ne: null } })) > 0;
}
