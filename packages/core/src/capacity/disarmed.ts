/**
 * An installation that was restored from a backup is disarmed: the original may still run, and two installations must
 * not call the same people. It neither dials nor posts webhooks until it is armed (`arm.ts`). docs/decisions/backups.md
 */
import { statement, type RestoredCopyRow, type Tx } from '@parley/db';

/** The condition in SQL. */
export const IS_DISARMED = 'exists (select 1 from restored_copy)';

/** The backup from which a disarmed installation was restored. */
export type DisarmedCopy = Pick<RestoredCopyRow, 'takenAt' | 'restoredAt'>;

const select = statement<DisarmedCopy>('find_disarmed', 'select taken_at, restored_at from restored_copy');

/** @returns null for an installation that dials */
export async function findDisarmed(tx: Tx): Promise<DisarmedCopy | null> {
  const [copy] = await tx.query(select);
  return copy ?? null;
}

export async function isDisarmed(tx: Tx): Promise<boolean> {
  return (await findDisarmed(tx)) !== null;
}
