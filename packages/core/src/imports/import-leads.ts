/**
 * Imports the leads of a CSV file while it arrives. Records are stored in batches of a thousand, counted from the header,
 * each in one transaction with the position that was reached. An upload that breaks off leaves whole batches; sent again
 * with the same key it continues after the last one. A digest over all stored batches detects another file. See
 * docs/decisions/lead-imports.md.
 */
import { createHash } from 'node:crypto';
import type { ImportRecord } from '@parley/contracts';
import type { LeadImportRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { findImportCampaign } from './find-imports.ts';
import { importRecord } from './import-record.ts';
import { beginRun, finishRun, interruptRun, otherFile, touchRun } from './import-run.ts';
import type { ColumnPlan } from './plan-columns.rules.ts';
import { readCsv } from './read-csv.ts';
import { inBatches, openFile, readRows, type ImportOptions } from './read-lead-file.ts';
import { writeBatch } from './write-batch.ts';

/** An upload. */
export interface LeadUpload {
  campaignId: number;
  options: ImportOptions;
  /** An upload with the same key continues the import. */
  key?: string | undefined;
  fileName?: string | undefined;
  /** The file, as it arrives; read only as fast as rows are written. */
  bytes: AsyncIterable<Uint8Array>;
  bytesTotal?: number | undefined;
}

/** How often a slow upload updates its row, milliseconds. */
const SIGN_OF_LIFE_MS = 5000;

/**
 * @throws DomainError `not-found` for the campaign; `invalid` for a file that cannot be read, or that is not the one its
 *   key was used with; `conflict` when another upload takes over. Also any error of reading `bytes`.
 */
export async function importLeads(
  ctx: CoreContext,
  identity: Identity,
  upload: LeadUpload,
): Promise<ImportRecord> {
  const { defaultCountry } = await findImportCampaign(ctx, identity, upload.campaignId);
  const progress: Progress = { bytes: 0, import: null, aliveAt: ctx.clock.now() };
  const records = readCsv(watchBytes(ctx, progress, upload.bytes), upload.options.delimiter);
  const { plan, skipped, first } = await openFile(records, upload.options);
  const begun = await beginRun(ctx, {
    userId: identity.userId,
    campaignId: upload.campaignId,
    key: upload.key ?? null,
    begunAs: digest(JSON.stringify([upload.options, plan.columns])),
    fileName: upload.fileName ?? null,
    bytesTotal: upload.bytesTotal ?? null,
  });
  progress.import = begun;
  const batches = inBatches(first, records);
  const isDuplicateAllowed = upload.options.isDuplicateAllowed ?? false;
  try {
    await settle(ctx, begun, { batches, plan, skipped, defaultCountry, isDuplicateAllowed, progress });
    const done = begun.state === 'finished' ? begun : await finishRun(ctx, begun, progress.bytes);
    return importRecord(done, now(ctx));
  } catch (error) {
    await interruptRun(ctx, begun, progress.bytes);
    throw error;
  }
}

/** Progress while the file arrives. */
interface Progress {
  bytes: number;
  import: LeadImportRow | null;
  /** When the row was last updated, milliseconds. */
  aliveAt: number;
}

async function* watchBytes(
  ctx: CoreContext,
  progress: Progress,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    progress.bytes += chunk.byteLength;
    if (progress.import && ctx.clock.now() - progress.aliveAt >= SIGN_OF_LIFE_MS) {
      progress.aliveAt = ctx.clock.now();
      await touchRun(ctx, progress.import, progress.bytes);
    }
    yield chunk;
  }
}

interface Settling {
  batches: AsyncIterable<string[][]>;
  plan: ColumnPlan;
  skipped: number;
  defaultCountry: string | null;
  isDuplicateAllowed: boolean;
  progress: Progress;
}

/** Skips batches that are stored already, and stores the rest. */
async function settle(ctx: CoreContext, begun: LeadImportRow, work: Settling): Promise<void> {
  let position = 0;
  let contentHash = begun.begunAs;
  for await (const records of work.batches) {
    const firstRow = work.skipped + position + 1;
    position += records.length;
    contentHash = digest(contentHash + JSON.stringify(records));
    if (position === begun.position && contentHash !== begun.contentHash) throw otherFile();
    if (position <= begun.position) continue;
    const { isDuplicateAllowed, progress } = work;
    const rows = await readRows(records, firstRow, work);
    // A transaction for each thousand empty lines would make five megabytes of them cost half a minute.
    if (rows.length === 0) continue;
    if (begun.state === 'finished' || position - records.length < begun.position) throw otherFile();
    await writeBatch(ctx, begun, {
      rows,
      position,
      contentHash,
      isDuplicateAllowed,
      bytesRead: progress.bytes,
    });
    progress.aliveAt = ctx.clock.now();
  }
  if (position < begun.position) throw otherFile();
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
