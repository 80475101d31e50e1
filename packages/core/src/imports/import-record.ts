/** Imports as they are read over the wire. */
import { isoMicroseconds, type ImportErrorCode, type ImportRecord } from '@parley/contracts';
import type { LeadImportRow } from '@parley/db';
import { IMPORT_SILENCE_MS } from '../dialing/plan-next-look.ts';

/** @param at - the present time, to distinguish a running import from one whose process was killed */
export function importRecord(row: LeadImportRow, at: Date): ImportRecord {
  const { duplicate = 0 } = row.refusals;
  const isSilent = at.getTime() - row.updatedAt.getTime() > IMPORT_SILENCE_MS;
  return {
    id: row.id,
    campaign_id: row.campaignId,
    state: row.state === 'running' && isSilent ? 'interrupted' : row.state,
    file_name: row.fileName,
    rows_read: row.rowsRead,
    rows_imported: row.rowsImported,
    rows_duplicate: duplicate,
    rows_refused: row.rowsRead - row.rowsImported - duplicate,
    refusals: Object.entries(row.refusals).map(([code, rows]) => ({ code: code as ImportErrorCode, rows })),
    bytes_read: row.bytesRead,
    bytes_total: row.bytesTotal,
    leads_removed: row.leadsRemoved,
    created_at: isoMicroseconds(row.createdAt),
    updated_at: isoMicroseconds(row.updatedAt),
    finished_at: row.finishedAt === null ? null : isoMicroseconds(row.finishedAt),
  };
}
