/** Users by their id or address. */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { emailKey } from './create-user.ts';
import type { PublicUser } from './identity.ts';

const selectUser = statement<PublicUser>(
  'find_user',
  `select id, name, email, role from users where id = $1`,
);
const selectUserByAddress = statement<PublicUser>(
  'find_user_by_address',
  `select id, name, email, role from users where email = $1`,
);
const selectUsers = statement<PublicUser>(
  'list_users',
  `select id, name, email, role from users order by id`,
);
const selectWebhookSecret = statement<{ webhookSecretSealed: string }>(
  'find_webhook_secret',
  `select webhook_secret_sealed from users where id = $1`,
);

/** @throws DomainError `not-found` */
export async function findUser(ctx: CoreContext, userId: number): Promise<PublicUser> {
  const [user] = await ctx.db.query(selectUser, [userId]);
  if (!user) throw new DomainError('not-found', 'User not found');
  return user;
}

/**
 * @param email - in any case, spaces around it do not matter
 * @throws DomainError `not-found`
 */
export async function findUserByEmail(ctx: CoreContext, email: string): Promise<PublicUser> {
  const [user] = await ctx.db.query(selectUserByAddress, [emailKey(email)]);
  if (!user) throw new DomainError('not-found', `There is no user with the address ${emailKey(email)}`);
  return user;
}

/** Everyone, the first user first. For operators and the command line. */
export async function listUsers(ctx: CoreContext): Promise<PublicUser[]> {
  return ctx.db.query(selectUsers);
}

/** The `whsec_…` that signs this user's webhooks; for the user's own eyes. */
export async function revealWebhookSecret(ctx: CoreContext, userId: number): Promise<string> {
  const [row] = await ctx.db.query(selectWebhookSecret, [userId]);
  if (!row) throw new DomainError('not-found', 'User not found');
  return ctx.secretBox.open(row.webhookSecretSealed);
}
