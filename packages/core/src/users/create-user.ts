/** Creates a user. Only operators and the command line do this. */
import { randomUUID } from 'node:crypto';
import { errorText, fieldFault, wording } from '@parley/contracts';
import { isUniqueViolation, User, type UserRole, type UserRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { makeWebhookSecret } from '../shared/random-secret.ts';
import type { PublicUser } from './identity.ts';
import { hashPassword } from './password.ts';

/** A user to create. */
export interface CreateUserInput {
  name: string;
  email: string;
  /** Without a password the user can sign in by link only. */
  password?: string | undefined;
  role: UserRole;
  /** IANA name. Default UTC. */
  timezone?: string | undefined;
  /** Two letters, upper case. */
  defaultCountry?: string | null | undefined;
  /** Default: the column's. */
  maxCalls?: number | undefined;
  /** Attempts per number within 24 hours and 7 times 24 hours. Default: no limit. */
  maxAttemptsPerNumberPerDay?: number | null | undefined;
  maxAttemptsPerNumberPerWeek?: number | null | undefined;
  /** Default: the limits of all users only. */
  maxCallsPerSecond?: number | null | undefined;
  maxCallsPerDay?: number | null | undefined;
  maxCostPerDay?: number | null | undefined;
  /** Default: nothing is sent. */
  limitWebhookUrl?: string | null | undefined;
}

/** @throws DomainError `invalid` for an e-mail address that is invalid or taken, and for an invalid password */
export async function createUser(ctx: CoreContext, input: CreateUserInput): Promise<PublicUser> {
  return publicUser(await insertUser(ctx, input));
}

/**
 * The same with the whole row, which must not be shown.
 *
 * @throws DomainError as {@link createUser}
 */
export async function insertUser(ctx: CoreContext, input: CreateUserInput): Promise<UserRow> {
  const user = await newUser(ctx, input);
  try {
    return await ctx.db.transaction(async ({ em }) => em.create(User, user));
  } catch (error) {
    if (!isUniqueViolation(error, 'users_email_unique')) throw error;
    const fields = fieldFault('email', wording.taken);
    throw new DomainError('invalid', fields['email']?.[0] ?? errorText.invalidData, { fields, cause: error });
  }
}

/** The row of a new user, checked and with new secrets. */
export async function newUser(
  ctx: CoreContext,
  input: CreateUserInput,
): Promise<Omit<UserRow, 'id' | 'maxCalls'> & { maxCalls?: number }> {
  return {
    uuid: randomUUID(),
    name: input.name.trim(),
    email: checkedEmail(input.email),
    role: input.role,
    passwordHash: input.password === undefined ? null : await hashPassword(input.password),
    timezone: input.timezone ?? 'UTC',
    defaultCountry: input.defaultCountry ?? null,
    announcesListening: true,
    ...(input.maxCalls !== undefined && { maxCalls: input.maxCalls }),
    maxAttemptsPerNumberPerDay: input.maxAttemptsPerNumberPerDay ?? null,
    maxAttemptsPerNumberPerWeek: input.maxAttemptsPerNumberPerWeek ?? null,
    maxCallsPerSecond: input.maxCallsPerSecond ?? null,
    maxCallsPerDay: input.maxCallsPerDay ?? null,
    maxCostPerDay: input.maxCostPerDay ?? null,
    limitWebhookUrl: input.limitWebhookUrl ?? null,
    webhookSecretSealed: ctx.secretBox.seal(makeWebhookSecret()),
    webhookSecretOldSealed: null,
    webhookSecretOldUntil: null,
    createdAt: now(ctx),
    lastSignInAt: null,
    disabledAt: null,
    removalRequestedAt: null,
    totpSecretSealed: null,
    totpEnabledAt: null,
    totpLastStep: null,
  };
}

/** Only the fields that may be shown. */
export function publicUser(user: PublicUser): PublicUser {
  const { id, name, email, role, timezone } = user;
  return { id, name, email, role, timezone };
}

/** The form in which addresses are stored and looked up. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

function checkedEmail(email: string): string {
  const key = emailKey(email);
  if (/^[^\s@]+@[^\s@]+$/.test(key) && key.length <= 255) return key;
  const message = 'The email must be a valid email address.';
  throw new DomainError('invalid', message, { fields: { email: [message] } });
}
