/**
 * Writes a batch of rows in one short transaction: leads, their entries in the dial queue, refusals and the import's
 * progress. SQL, because a batch has a thousand rows. It locks the import, the campaign's numbers, and last the campaign, so
 * that the dialer waits only for the commit.
 */
import type { ImportErrorCode } from '@parley/contracts';
import { json, statement, type LeadImportRow, type Tx } from '@parley/db';
import { campaignNotFound } from '../campaigns/find-campaign.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import { now, type CoreContext } from '../context.ts';
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

/** More are counted, but not listed. */
const MAX_STORED_ERRORS = 100_000;

/**
 * The lock that whoever adds a lead with contacts takes too: see the function parley_create_lead. And a promise to the
 * planner that the numbers are found by their index: a connection that plans once, by statistics of an empty table, would
 * read all of it for every stretch until its statistics come.
 */
const lockNumbers = statement(
  'lock_campaign_numbers',
  `select pg_advisory_xact_lock(hashtextextended('leads:' || $1::bigint, 0)), set_config('enable_seqscan', 'off', true)`,
);
const selectTaken = statement<{ phoneNumber: string }>(
  'imported_numbers_taken',
  `select distinct phone_number from leads where campaign_id = $1 and phone_number = any($2)`,
);
const insertLeads = statement(
  'import_leads',
  `with added as (
     insert into leads (user_id, campaign_id, import_id, phone_number, variables, status, dial_state, created_at, updated_at)
     select $1, $2, $3, r.phone_number, r.variables::jsonb, 'created', 'waiting', $4, $4
     from unnest($5::text[], $6::text[]) with ordinality as r(phone_number, variables, place) order by r.place
     returning id)
   insert into dial_queue (campaign_id, ready_at, lead_id, attempt) select $2, $4, id, 1 from added order by id`,
);
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
const lockCampaign = statement<{ isRunning: boolean }>(
  'import_campaign_status',
  `select status = 'in-progress' as is_running from campaigns where id = $1 and deleted_at is null for share`,
);

/** @throws DomainError `conflict` when the import is not this upload's any more, `not-found` without its campaign */
export async function writeBatch(ctx: CoreContext, run: ImportRun, batch: ImportBatch): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const stored = await lockImportRun(tx, run);
    const { leads, refused } = await splitRows(tx, stored, batch);
    const at = now(ctx);
    const { id, userId, campaignId } = stored;
    const numbers = leads.map(({ phoneNumber }) => phoneNumber);
    const variables = leads.map((lead) => lead.variables);
    if (leads.length > 0) await tx.query(insertLeads, [userId, campaignId, id, at, numbers, variables]);
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
  const taken = isDuplicateAllowed ? new Set<string>() : await lockTakenNumbers(tx, campaignId, rows);
  for (const row of rows) {
    if ('code' in row) refused.push(row);
    else if (taken.has(row.phoneNumber)) refused.push(duplicateOf(row));
    else leads.push(row);
    if ('phoneNumber' in row && !isDuplicateAllowed) taken.add(row.phoneNumber);
  }
  return { leads, refused };
}

async function lockTakenNumbers(tx: Tx, campaignId: number, rows: ImportBatch['rows']): Promise<Set<string>> {
  const numbers = rows.flatMap((row) => ('phoneNumber' in row ? [row.phoneNumber] : []));
  await tx.query(lockNumbers, [campaignId]);
  const taken = await tx.query(selectTaken, [campaignId, numbers]);
  return new Set(taken.map(({ phoneNumber }) => phoneNumber));
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

async function wakeIfRunning(tx: Tx, campaignId: number): Promise<void> {
  const [campaign] = await tx.query(lockCampaign, [campaignId]);
  if (!campaign) throw campaignNotFound();
  if (campaign.isRunning) await wakeCampaign(tx, campaignId);
}
