/** Links that sign a user in once, such as the one printed at the first start. */
import { LockMode, SignInLink, User } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { hashSecret, randomSecret } from '../shared/random-secret.ts';
import { createSession } from './session.ts';
import { signedIn, type SignedIn } from './sign-in.ts';

/** Lifetime of a link, milliseconds: it is printed on a terminal, whose content others may see later. */
const LINK_MS = 15 * 60_000;

/** @returns the secret for the link's address; valid for 15 minutes and one use */
export async function createSignInLink(ctx: CoreContext, userId: number): Promise<string> {
  const at = now(ctx);
  const secret = randomSecret();
  const expiresAt = new Date(at.getTime() + LINK_MS);
  await ctx.db.transaction(async ({ em }) => {
    await em.nativeDelete(SignInLink, { expiresAt: { $lt: at } });
    em.create(SignInLink, { secretHash: hashSecret(secret), userId, expiresAt, usedAt: null });
  });
  return secret;
}

/** @returns null when the secret is unknown, used or expired */
export async function redeemSignInLink(ctx: CoreContext, secret: string): Promise<SignedIn | null> {
  return ctx.db.transaction(async (tx) => {
    const at = now(ctx);
    const usable = { secretHash: hashSecret(secret), usedAt: null, expiresAt: { $gt: at } };
    // Of two uses at the same time, the second waits for the lock and then finds no usable link.
    const link = await tx.em.findOne(SignInLink, usable, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!link) return null;
    link.usedAt = at;
    const user = await tx.em.findOneOrFail(User, { id: link.userId });
    return signedIn(user, await createSession(ctx, tx, user.id));
  });
}

/** Whether any user has ever signed in to the admin app. */
export async function hasAnyoneSignedIn(ctx: CoreContext): Promise<boolean> {
  return (await ctx.db.em.count(User, { lastSignInAt: { $ne: null } })) > 0;
}
