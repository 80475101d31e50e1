/** Finds a SIP trunk for a change. */
import { LockMode, Trunk, type Transaction, type TrunkRow } from '@parley/db';
import { sharedOrOwn } from '../lookups/shared-or-own.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';

/**
 * Locks a trunk against changes until the transaction ends.
 *
 * @returns null when it is missing or has another owner
 */
export async function findVisibleTrunk(
  tx: Transaction,
  identity: Identity,
  trunkId: number,
): Promise<TrunkRow | null> {
  const visible = { id: trunkId, ...sharedOrOwn(identity.userId) };
  return tx.em.findOne(Trunk, visible, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/**
 * @throws DomainError `not-found`, also when it has another owner; `forbidden` for members when it is shared; `conflict` for
 *   the test trunk, which a fresh installation depends on
 */
export async function lockOwnTrunk(tx: Transaction, identity: Identity, trunkId: number): Promise<TrunkRow> {
  const trunk = await findVisibleTrunk(tx, identity, trunkId);
  if (!trunk) throw new DomainError('not-found', 'SIP trunk not found');
  if (trunk.userId === null) requireOperator(identity);
  if (trunk.isTest) {
    throw new DomainError('conflict', 'The test line is built in: it can be neither changed nor removed.');
  }
  return trunk;
}
