/** Finds a SIP trunk for somebody who wants to change something about it. */
import { statement, type TrunkRow, type Tx } from '@parley/db';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';

const lockTrunk = statement<TrunkRow>(
  'lock_trunk',
  `select * from trunks where id = $1 and (user_id is null or user_id = $2) for update`,
);

/** @returns null for somebody else's and for none; otherwise nobody changes it until the transaction ends */
export async function findVisibleTrunk(
  tx: Tx,
  identity: Identity,
  trunkId: number,
): Promise<TrunkRow | null> {
  const [trunk] = await tx.query(lockTrunk, [trunkId, identity.userId]);
  return trunk ?? null;
}

/**
 * @throws DomainError `not-found`, also for somebody else's trunk; `forbidden` when a member means a shared one;
 *   `conflict` for the test line, which a fresh installation depends on
 */
export async function lockOwnTrunk(tx: Tx, identity: Identity, trunkId: number): Promise<TrunkRow> {
  const trunk = await findVisibleTrunk(tx, identity, trunkId);
  if (!trunk) throw new DomainError('not-found', 'SIP trunk not found');
  if (trunk.userId === null) requireOperator(identity);
  if (trunk.isTest) {
    throw new DomainError('conflict', 'The test line is built in: it can be neither changed nor removed.');
  }
  return trunk;
}
