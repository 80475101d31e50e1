/** Makes a user. Only operators and the command line come here. */
import { randomBytes, randomUUID } from 'node:crypto';
import { isUniqueViolation, User, type UserRole, type UserRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { PublicUser } from './identity.ts';
import { hashPassword } from './password.ts';

/** A user to be made. */
export interface CreateUserInput {
  name: string;
  email: string;
  /** Without one the user signs in by link only. */
  password?: string | undefined;
  role: UserRole;
}

/**
 * @throws DomainError `conflict` when the e-mail address is taken, `invalid` for a bad address or password
 */
export async function createUser(ctx: CoreContext, input: CreateUserInput): Promise<PublicUser> {
  const em = ctx.db.orm();
  const user = em.create(User, await newUser(ctx, input));
  try {
    await em.flush();
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email_unique')) throw error;
    const message = 'The email has already been taken.';
    throw new DomainError('conflict', message, { fields: { email: [message] }, cause: error });
  }
  return publicUser(user);
}

/** The row of a new user, checked and with its secrets made. */
export async function newUser(ctx: CoreContext, input: CreateUserInput): Promise<Omit<UserRow, 'id'>> {
  return {
    uuid: randomUUID(),
    name: input.name.trim(),
    email: checkedEmail(input.email),
    role: input.role,
    passwordHash: input.password === undefined ? null : await hashPassword(input.password),
    timezone: 'UTC',
    defaultCountry: null,
    webhookSecretSealed: ctx.secretBox.seal(makeWebhookSecret()),
    createdAt: now(ctx),
  };
}

/** Leaves out everything that is nobody else's business. */
export function publicUser(user: PublicUser): PublicUser {
  return { id: user.id, name: user.name, email: user.email, role: user.role };
}

/** As it is stored and looked up. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** `whsec_` and 24 random bytes in base64, the form of Standard Webhooks. */
function makeWebhookSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

function checkedEmail(email: string): string {
  const key = emailKey(email);
  if (/^[^\s@]+@[^\s@]+$/.test(key) && key.length <= 255) return key;
  const message = 'The email must be a valid email address.';
  throw new DomainError('invalid', message, { fields: { email: [message] } });
}
