/** The number of assistants that a user may have. */
import { Assistant, type Transaction } from '@parley/db';
import { requireBelowMaximum } from '../users/require-below-maximum.ts';

/** Deleted ones do not count. The admin app shows all of them in one list. */
const MAX_ASSISTANTS = 5000;

/** @throws DomainError `invalid` */
export async function requireAssistantsBelowMaximum(tx: Transaction, userId: number): Promise<void> {
  const row = { userId, most: MAX_ASSISTANTS, what: 'assistants', field: 'name' };
  await requireBelowMaximum(tx, row, () => tx.em.count(Assistant, { userId, deletedAt: null }));
}
