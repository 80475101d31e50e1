/**
 * Writes a batch of rows in one short transaction: leads, their entries in the dial queue, refusals and the import's
 * progress. SQL, because a batch has a thousand rows. It locks the import first, and then as `leads/write-leads.ts` does.
 */
import type { ImportErrorCode } from '@parley/contracts';
import { json, statement, type LeadImportRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { insertLeads, lockTakenNumbers, wakeIfRunning } from '../leads/write-leads.ts';
import { lockImportRun, type ImportRun } from './import-run.ts';
import type { LeadRow, RefusedRow } from './read-lead-row.ts';

/** A stretch of a file, read and judged. */
export interface ImportBatch {
  rows: readonly (LeadRow | RefusedRow)[];
  /** Records that are settled with it, and their digest. */
  position: number;
  contentHash: string;
  isDuplicateAllowed: boolean;
  bytesRead: number;
}

/** More are counted, but not listed: two bytes of a file can be an invalid row, which takes a hundred bytes to store. */
const MAX_STORED_ERRORS = 10_000;

const insertErrors = statement(
  'import_errors',
  `insert into lead_import_errors (import_id, row_number, column_name, code, value)
   select $1, r."rowNumber", r."columnName", r.code, r.value
   from jsonb_to_recordset($2) as r("rowNumber" int, "columnName" text, code text, value text)`,
);
const updateProgress = statement(
  'import_progress',
  `update lead_imports set position = $2, content_hash = $3, rows_read = rows_read + $4,
     rows_imported = rows_imported + $5, refusals = $6, errors_stored = errors_stored + $7, bytes_read = $8, updated_at = $9
   where id = $1`,
);
/** @throws DomainError `conflict` when the import is not this upload's any more, `not-found` without its campaign */
export async function writeBatch(ctx: CoreContext, run: ImportRun, batch: ImportBatch): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const stored = await lockImportRun(tx, run);
    const { leads, refused } = await splitRows(tx, stored, batch);
    const at = now(ctx);
    const { id, userId, campaignId } = stored;
    await insertLeads(tx, { userId, campaignId, importId: id, at }, leads);
    const listed = refused.slice(0, Math.max(0, MAX_STORED_ERRORS - stored.errorsStored));
    if (listed.length > 0) await tx.query(insertErrors, [id, json(listed)]);
    await tx.query(updateProgress, [
      id,
      batch.position,
      batch.contentHash,
      batch.rows.length,
      leads.length,
      json(addRefusals(stored.refusals, refused)),
      listed.length,
      batch.bytesRead,
      at,
    ]);
    await wakeIfRunning(tx, campaignId);
  });
}

/** Numbers that the campaign has already, and those that come twice in the batch, are duplicates. */
async function splitRows(
  tx: Tx,
  { campaignId }: LeadImportRow,
  { rows, isDuplicateAllowed }: ImportBatch,
): Promise<{ leads: LeadRow[]; refused: RefusedRow[] }> {
  const leads: LeadRow[] = [];
  const refused: RefusedRow[] = [];
  const numbers = rows.flatMap((row) => ('phoneNumber' in row ? [row.phoneNumber] : []));
  const taken = isDuplicateAllowed ? new Set<string>() : await lockTakenNumbers(tx, campaignId, numbers);
  for (const row of rows) {
    if ('code' in row) refused.push(row);
    else if (taken.has(row.phoneNumber)) refused.push(duplicateOf(row));
    else leads.push(row);
    if ('phoneNumber' in row && !isDuplicateAllowed) taken.add(row.phoneNumber);
  }
  return { leads, refused };
}

function duplicateOf({ rowNumber, phoneNumber }: LeadRow): RefusedRow {
  return { rowNumber, code: 'duplicate', columnName: null, value: phoneNumber };
}

function addRefusals(
  known: Readonly<Record<string, number>>,
  refused: readonly RefusedRow[],
): Partial<Record<ImportErrorCode, number>> {
  const counts: Record<string, number> = { ...known };
  for (const { code } of refused) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
