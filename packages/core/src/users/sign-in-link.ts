/** Links that sign a user in once, as printed at the first start. */
import { statement } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { hashSecret, randomSecret } from '../shared/random-secret.ts';
import type { PublicUser } from './identity.ts';
import { createSession } from './session.ts';
import { signedIn, type SignedIn } from './sign-in.ts';

/** How long a link waits to be used, milliseconds. */
const LINK_MS = 24 * 3_600_000;

const insertLink = statement(
  'insert_sign_in_link',
  `insert into sign_in_links (secret_hash, user_id, expires_at) values ($1, $2, $3)`,
);
const deleteExpiredLinks = statement(
  'delete_expired_links',
  `delete from sign_in_links where expires_at < $1`,
);
const useLink = statement<PublicUser>(
  'use_sign_in_link',
  `update sign_in_links l set used_at = $2 from users u
   where l.secret_hash = $1 and l.used_at is null and l.expires_at > $2 and u.id = l.user_id
   returning u.id, u.name, u.email, u.role`,
);

/** @returns the secret to put into the link's address; good for one day and one use */
export async function createSignInLink(ctx: CoreContext, userId: number): Promise<string> {
  const at = now(ctx);
  const secret = randomSecret();
  await ctx.db.query(deleteExpiredLinks, [at]);
  await ctx.db.query(insertLink, [hashSecret(secret), userId, new Date(at.getTime() + LINK_MS)]);
  return secret;
}

/** @returns null when the secret is unknown, used or too old */
export async function redeemSignInLink(ctx: CoreContext, secret: string): Promise<SignedIn | null> {
  return ctx.db.transaction(async (tx) => {
    const [user] = await tx.query(useLink, [hashSecret(secret), now(ctx)]);
    return user ? signedIn(user, await createSession(ctx, tx, user.id)) : null;
  });
}
