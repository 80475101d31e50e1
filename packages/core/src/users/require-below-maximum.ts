/**
 * The maximum of rows that a user may create. What a list shows, a call looks up or a process registers costs all users of an
 * installation, so no account has any number of it.
 */
import { errorText } from '@parley/contracts';
import { statement, type Transaction } from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';

/** SQL, because the row of the user serialises creations, so that the maximum is exact. Other inserts do not wait for it. */
const lockRow = statement<{ id: number }>(
  'lock_owner_of_new_row',
  'select id from users where id = $1 for no key update',
);

/** Creations of the same user wait until the transaction ends. Before all other locks of the transaction. */
export async function lockOwner(tx: Transaction, userId: number): Promise<void> {
  await tx.query(lockRow, [userId]);
}

/** What is created. */
export interface NewRow {
  userId: number;
  most: number;
  /** For the message, for example `API tokens`. */
  what: string;
  /** The field that the error names. */
  field: string;
}

/**
 * Called first in the transaction that creates the row.
 *
 * @param count - how many the user has
 * @throws DomainError `invalid` when the user has as many as are allowed
 */
export async function requireBelowMaximum(
  tx: Transaction,
  { userId, most, what, field }: NewRow,
  count: () => Promise<number>,
): Promise<void> {
  await lockOwner(tx, userId);
  if ((await count()) < most) return;
  const fields = { [field]: [`An account has at most ${most} ${what}. Delete one before you add another.`] };
  throw new DomainError('invalid', errorText.invalidData, { fields });
}
