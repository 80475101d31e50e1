/** Removes entries of the audit log whose retention period is over. SQL, because it is a sweep. */
import { AUDIT_RETENTION_SETTING, statement } from '@parley/db';
import type { CoreContext } from '../context.ts';

const BATCH = 5000;

const allowRemoval = statement(
  'allow_audit_removal',
  `select set_config('${AUDIT_RETENTION_SETTING}', 'on', true)`,
);
const removeBatch = statement<{ id: number }>(
  'remove_old_audit_entries',
  `delete from audit_entries where id in (select id from audit_entries where at < $1 limit ${BATCH}) returning id`,
);
const countOld = statement<{ count: number }>(
  'count_old_audit_entries',
  'select count(*) as count from audit_entries where at < $1',
);

/** What {@link removeOldAuditEntries} would remove now. */
export async function countOldAuditEntries(ctx: CoreContext, before: Date): Promise<number> {
  const [row] = await ctx.db.query(countOld, [before]);
  return row?.count ?? 0;
}

/** In batches. May run twice, and may be interrupted. */
export async function removeOldAuditEntries(ctx: CoreContext, before: Date): Promise<number> {
  for (let total = 0; ;) {
    const { length } = await ctx.db.transaction(async (tx) => {
      await tx.query(allowRemoval);
      return tx.query(removeBatch, [before]);
    });
    total += length;
    if (length < BATCH) return total;
  }
}
