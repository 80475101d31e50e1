/** Everyone's accounts, for operators: list, add, change. */
import {
  errorText,
  fieldFault,
  isoMicroseconds,
  wording,
  type NewUser,
  type UserChanges,
  type UserRecord,
} from '@parley/contracts';
import { statement, type Tx, type UserRole } from '@parley/db';
import { wakeNextHeld } from '../capacity/campaign-hold.ts';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { isCountry } from '../shared/phone-number.ts';
import { createUser } from '../users/create-user.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';

interface UserAccountRow {
  id: number;
  name: string;
  email: string;
  role: UserRole;
  timezone: string;
  defaultCountry: string | null;
  maxCalls: number;
  createdAt: Date;
}

const COLUMNS = 'id, name, email, role, timezone, default_country, max_calls, created_at';

const selectAccounts = statement<UserAccountRow>(
  'list_user_accounts',
  `select ${COLUMNS} from users order by id`,
);
const limitAccount = statement<UserAccountRow>(
  'limit_user_account',
  `update users set max_calls = coalesce($2, max_calls) where id = $1 returning ${COLUMNS}`,
);
/** In the order of their ids, so that two who change roles at once wait for each other instead of deadlocking. */
const lockOperators = statement<{ id: number }>(
  'lock_operators',
  `select id from users where role = 'operator' order by id for update`,
);
const updateAccount = statement<UserAccountRow>(
  'update_user_account',
  `update users set name = coalesce($2, name), role = coalesce($3, role), timezone = coalesce($4, timezone),
     default_country = case when $5 then $6 else default_country end,
     max_calls = coalesce($7, max_calls)
   where id = $1 returning ${COLUMNS}`,
);

/** The first user first. @throws DomainError `forbidden` for members */
export async function listUserAccounts(ctx: CoreContext, identity: Identity): Promise<UserRecord[]> {
  requireOperator(identity);
  return (await ctx.db.query(selectAccounts)).map(userRecord);
}

/** @throws DomainError `forbidden` for members; `invalid` for an address that is bad or taken, a bad password or country */
export async function addUserAccount(
  ctx: CoreContext,
  identity: Identity,
  input: NewUser,
): Promise<UserRecord> {
  requireOperator(identity);
  const { id } = await createUser(ctx, {
    name: input.name,
    email: input.email,
    password: input.password ?? undefined,
    role: input.role,
    timezone: input.timezone,
    defaultCountry: readCountry(input.default_country),
  });
  const [row] = await ctx.db.query(limitAccount, [id, input.max_calls ?? null]);
  if (!row) throw new Error('A new user vanished');
  return userRecord(row);
}

/**
 * A new role counts from the user's next request on.
 *
 * @throws DomainError `forbidden` for members, `not-found`, `invalid` for a bad country, `conflict` when no operator would
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
    const [row] = await tx.query(updateAccount, [
      input.id,
      input.name?.trim() ?? null,
      input.role ?? null,
      input.timezone ?? null,
      country !== undefined,
      country ?? null,
      input.max_calls ?? null,
    ]);
    if (!row) throw new DomainError('not-found', 'User not found');
    if (input.max_calls !== undefined) await wakeNextHeld(tx, [`account:${row.id}`]);
    return userRecord(row);
  });
}

async function keepAnOperator(tx: Tx, userId: number): Promise<void> {
  const operators = await tx.query(lockOperators);
  if (operators.some(({ id }) => id !== userId)) return;
  throw new DomainError('conflict', 'The last operator cannot become a member.');
}

function readCountry(text: string | null | undefined): string | null | undefined {
  if (text == null) return text;
  const country = text.toUpperCase();
  if (isCountry(country)) return country;
  const fields = fieldFault('default_country', wording.selected);
  throw new DomainError('invalid', errorText.invalidData, { fields });
}

function userRecord(row: UserAccountRow): UserRecord {
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
