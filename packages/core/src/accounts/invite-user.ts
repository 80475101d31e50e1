/** Invitations: links with which an operator lets a user sign in once. There is no mail, so the operator passes the link on. */
import type { NewUser, UserRecord } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import { findUser } from '../users/find-user.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';
import { createSignInLink } from '../users/sign-in-link.ts';
import { addUserAccount } from './user-accounts.ts';

/** Lifetime of an invitation, milliseconds: the link has to reach the user, who may not read it at once. */
const INVITATION_MS = 24 * 3_600_000;

/** A user with a link that signs in once. */
export interface Invitation {
  user: UserRecord;
  /** For the link's address. It is not stored, so it can be shown only once. */
  secret: string;
}

/**
 * Adds a user who signs in with a link. If the process ends before the link is shown, the user exists and gets another.
 *
 * @throws DomainError as `addUserAccount`
 */
export async function inviteUser(ctx: CoreContext, identity: Identity, input: NewUser): Promise<Invitation> {
  const user = await addUserAccount(ctx, identity, input);
  return { user, secret: await createSignInLink(ctx, user.id, INVITATION_MS) };
}

/**
 * Another link for a user, such as one who has forgotten the password.
 *
 * @returns the secret for the link's address
 * @throws DomainError `forbidden` for members, `not-found`, `conflict` when the user is disabled
 */
export async function inviteAgain(ctx: CoreContext, identity: Identity, userId: number): Promise<string> {
  requireOperator(identity);
  const { id } = await findUser(ctx, userId);
  return createSignInLink(ctx, id, INVITATION_MS);
}
