/** Finds users by id or e-mail address. */
import { User } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { emailKey, publicUser } from './create-user.ts';
import type { PublicUser } from './identity.ts';

/** @throws DomainError `not-found` */
export async function findUser(ctx: CoreContext, userId: number): Promise<PublicUser> {
  const user = await ctx.db.em.findOne(User, { id: userId });
  if (!user) throw new DomainError('not-found', 'User not found');
  return publicUser(user);
}

/**
 * @param email - upper and lower case and surrounding spaces do not matter
 * @throws DomainError `not-found`
 */
export async function findUserByEmail(ctx: CoreContext, email: string): Promise<PublicUser> {
  const user = await ctx.db.em.findOne(User, { email: emailKey(email) });
  if (!user) throw new DomainError('not-found', `There is no user with the address ${emailKey(email)}`);
  return publicUser(user);
}

/** All users, the first one first. For operators and the command line. */
export async function listUsers(ctx: CoreContext): Promise<PublicUser[]> {
  return (await ctx.db.em.find(User, {}, { orderBy: { id: 'asc' } })).map(publicUser);
}

/** The `whsec_…` secret that signs this user's webhooks; shown to the user only. */
export async function revealWebhookSecret(ctx: CoreContext, userId: number): Promise<string> {
  const row = await ctx.db.em.findOne(User, { id: userId });
  if (!row) throw new DomainError('not-found', 'User not found');
  return ctx.secretBox.open(row.webhookSecretSealed);
}
