/** The installation is a restored backup that is not armed (docs/decisions/backups.md); no row, or one. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { instant } from './columns.ts';

export const RestoredCopy = defineEntity({
  name: 'RestoredCopy',
  tableName: 'restored_copy',
  checks: [{ name: 'restored_copy_id_check', expression: 'id = 1' }],
  properties: {
    /** Always 1. */
    id: p.integer().primary().autoincrement(false),
    /** When the backup was taken. */
    takenAt: instant(),
    restoredAt: instant(),
  },
});

/** A row of {@link RestoredCopy}. */
export type RestoredCopyRow = InferEntity<typeof RestoredCopy>;
