/** Lists, adds and changes user accounts; for operators. */
import { isoMicroseconds, type NewUser, type UserChanges, type UserRecord } from '@parley/contracts';
import { LockMode, User, type Transaction, type UserRow } from '@parley/db';
import { wakeNextHeld } from '../capacity/campaign-hold.ts';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { insertUser } from '../users/create-user.ts';
import type { Identity } from '../users/identity.ts';
import { readCountry } from '../users/number-country.ts';
import { requireOperator } from '../users/require-operator.ts';

/** The first user first. @throws DomainError `forbidden` for members */
export async function listUserAccounts(ctx: CoreContext, identity: Identity): Promise<UserRecord[]> {
  requireOperator(identity);
  return (await ctx.db.em.find(User, {}, { orderBy: { id: 'asc' } })).map(userRecord);
}

/** @throws DomainError `forbidden` for members; `invalid` for an address that is invalid or taken, an invalid password or country */
export async function addUserAccount(
  ctx: CoreContext,
  identity: Identity,
  input: NewUser,
): Promise<UserRecord> {
  requireOperator(identity);
  const user = await insertUser(ctx, {
    name: input.name,
    email: input.email,
    password: input.password ?? undefined,
    role: input.role,
    timezone: input.timezone,
    defaultCountry: readCountry(input.default_country),
    maxCalls: input.max_calls ?? undefined,
  });
  return userRecord(user);
}

/**
 * A new role applies from the user's next request on.
 *
 * @throws DomainError `forbidden` for members, `not-found`, `invalid` for an unknown country, `conflict` when no operator would
 *   be left
 */
export async function changeUserAccount(
  ctx: CoreContext,
  identity: Identity,
  input: UserChanges & { id: number },
): Promise<UserRecord> {
  requireOperator(identity);
  const country = readCountry(input.default_country);
  return ctx.db.transaction(async (tx) => {
    if (input.role === 'member') await keepAnOperator(tx, input.id);
    const user = await tx.em.findOne(User, { id: input.id });
    if (!user) throw new DomainError('not-found', 'User not found');
    user.name = input.name?.trim() ?? user.name;
    user.role = input.role ?? user.role;
    user.timezone = input.timezone ?? user.timezone;
    user.maxCalls = input.max_calls ?? user.maxCalls;
    if (country !== undefined) user.defaultCountry = country;
    if (input.max_calls !== undefined) await wakeNextHeld(tx, [`account:${user.id}`]);
    return userRecord(user);
  });
}

/** Locks in the order of ids, so that two changes of roles at the same time wait for each other and do not deadlock. */
async function keepAnOperator({ em }: Transaction, userId: number): Promise<void> {
  const lock = { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const operators = await em.find(User, { role: 'operator' }, lock);
  if (operators.some(({ id }) => id !== userId)) return;
  throw new DomainError('conflict', 'The last operator cannot become a member.');
}

function userRecord(row: UserRow): UserRecord {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    timezone: row.timezone,
    default_country: row.defaultCountry,
    max_calls: row.maxCalls,
    created_at: isoMicroseconds(row.createdAt),
  };
}
