/** Makes a user. Only operators and the command line come here. */
import { randomUUID } from 'node:crypto';
import { errorText, fieldFault, wording } from '@parley/contracts';
import { isUniqueViolation, statement, type UserRole, type UserRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { makeWebhookSecret } from '../shared/random-secret.ts';
import type { PublicUser } from './identity.ts';
import { hashPassword } from './password.ts';

/** A user to be made. */
export interface CreateUserInput {
  name: string;
  email: string;
  /** Without one the user signs in by link only. */
  password?: string | undefined;
  role: UserRole;
  /** IANA name. Default UTC. */
  timezone?: string | undefined;
  /** Two letters, upper case. */
  defaultCountry?: string | null | undefined;
}

const insertUser = statement<PublicUser>(
  'insert_user',
  `insert into users (uuid, name, email, role, password_hash, timezone, default_country, webhook_secret_sealed, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id, name, email, role`,
);

/** @throws DomainError `invalid` for an e-mail address that is bad or taken, and for a bad password */
export async function createUser(ctx: CoreContext, input: CreateUserInput): Promise<PublicUser> {
  const user = await newUser(ctx, input);
  try {
    const [row] = await ctx.db.query(insertUser, [
      user.uuid,
      user.name,
      user.email,
      user.role,
      user.passwordHash,
      user.timezone,
      user.defaultCountry,
      user.webhookSecretSealed,
      user.createdAt,
    ]);
    if (!row) throw new Error('A user could not be written');
    return publicUser(row);
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email_unique')) throw error;
    const fields = fieldFault('email', wording.taken);
    throw new DomainError('invalid', fields['email']?.[0] ?? errorText.invalidData, { fields, cause: error });
  }
}

/** The row of a new user, checked and with its secrets made. Its limit is the column's default. */
export async function newUser(
  ctx: CoreContext,
  input: CreateUserInput,
): Promise<Omit<UserRow, 'id' | 'maxCalls'>> {
  return {
    uuid: randomUUID(),
    name: input.name.trim(),
    email: checkedEmail(input.email),
    role: input.role,
    passwordHash: input.password === undefined ? null : await hashPassword(input.password),
    timezone: input.timezone ?? 'UTC',
    defaultCountry: input.defaultCountry ?? null,
    webhookSecretSealed: ctx.secretBox.seal(makeWebhookSecret()),
    webhookSecretOldSealed: null,
    webhookSecretOldUntil: null,
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

function checkedEmail(email: string): string {
  const key = emailKey(email);
  if (/^[^\s@]+@[^\s@]+$/.test(key) && key.length <= 255) return key;
  const message = 'The email must be a valid email address.';
  throw new DomainError('invalid', message, { fields: { email: [message] } });
}
