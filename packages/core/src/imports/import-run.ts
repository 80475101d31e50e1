/**
 * The only writer of an import's state (`import-state.rules.ts`). Every upload takes the next number (`run`), and only the
 * newest may write: of two that send the same file, the older one is refused. SQL, because each statement checks the
 * number and the state and writes in one step.
 */
import { statement, type LeadImportRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import { FIRST_IMPORT_STATE, IMPORT_STEPS } from './import-state.rules.ts';

/** The description of an upload. */
export interface ImportBeginning {
  userId: number;
  campaignId: number;
  /** The client's; null for an import that cannot be continued. */
  key: string | null;
  /** Digest of the options and the header. */
  begunAs: string;
  fileName: string | null;
  bytesTotal: number | null;
}

const insertImport = statement<LeadImportRow>(
  'begin_import',
  `insert into lead_imports (user_id, campaign_id, key, begun_as, content_hash, file_name, bytes_read, bytes_total, state,
     run, created_at, updated_at)
   values ($1, $2, $3, $4, $4, $5, 0, $6, $8, 1, $7, $7)
   on conflict (campaign_id, key) where key is not null do nothing returning *`,
);
const selectByKey = statement<LeadImportRow>(
  'import_by_key',
  `select * from lead_imports where campaign_id = $1 and key = $2`,
);
const takeOver = statement<LeadImportRow>(
  'take_over_import',
  `update lead_imports set run = run + 1, state = $5, bytes_read = 0, bytes_total = $2, updated_at = $3
   where id = $1 and state = any($4) returning *`,
);
const lockRun = statement<LeadImportRow>(
  'lock_import_run',
  `select * from lead_imports where id = $1 and run = $2 and state = 'running' for update`,
);
const updateSignOfLife = statement(
  'touch_import',
  `update lead_imports set bytes_read = $3, updated_at = $4 where id = $1 and run = $2 and state = 'running'`,
);
const updateEnd = statement<LeadImportRow>(
  'end_import_run',
  `update lead_imports set state = $3::text, bytes_read = $5, updated_at = $6::timestamptz,
     finished_at = case when $3 = 'finished' then $6::timestamptz end
   where id = $1 and run = $2 and state = any($4) returning *`,
);
/** The next run number excludes an upload that still works on the import; without its key the file can be sent again. */
const updateToUndoing = statement(
  'begin_undo',
  `update lead_imports set state = $2, run = run + 1, key = null, updated_at = $4 where id = $1 and state = any($3)`,
);
const updateToUndone = statement(
  'end_undo',
  `update lead_imports set state = $2, errors_stored = 0, updated_at = $4 where id = $1 and state = any($3)`,
);

/** One upload of an import. */
export type ImportRun = Pick<LeadImportRow, 'id' | 'run'>;

/**
 * Starts an import, or takes over the one that was started with the same key. A finished import is returned unchanged.
 *
 * @throws DomainError `invalid` when the key was used with another header or other options
 */
export async function beginRun(ctx: CoreContext, input: ImportBeginning): Promise<LeadImportRow> {
  const { userId, campaignId, key, begunAs, fileName, bytesTotal } = input;
  const values = [userId, campaignId, key, begunAs, fileName, bytesTotal, now(ctx), FIRST_IMPORT_STATE];
  const [begun] = await ctx.db.query(insertImport, values);
  if (begun) return begun;
  const [known] = await ctx.db.query(selectByKey, [campaignId, key]);
  if (!known) throw turnedAway();
  if (known.begunAs !== begunAs) throw otherFile();
  const { from, to } = IMPORT_STEPS['taken-over'];
  const [taken] = await ctx.db.query(takeOver, [known.id, bytesTotal, now(ctx), from, to]);
  return taken ?? known;
}

/**
 * The import, locked until the transaction ends.
 *
 * @throws DomainError `conflict` when another upload has taken it over, or it is being undone
 */
export async function lockImportRun(tx: Tx, { id, run }: ImportRun): Promise<LeadImportRow> {
  const [row] = await tx.query(lockRun, [id, run]);
  if (!row) throw turnedAway();
  return row;
}

/** Records progress: the bytes received so far. */
export async function touchRun(ctx: CoreContext, { id, run }: ImportRun, bytesRead: number): Promise<void> {
  await ctx.db.query(updateSignOfLife, [id, run, bytesRead, now(ctx)]);
}

/** @throws DomainError `conflict` when another upload has taken the import over */
export async function finishRun(ctx: CoreContext, run: ImportRun, bytesRead: number): Promise<LeadImportRow> {
  const row = await endRun(ctx, run, { event: 'finished', bytesRead });
  if (!row) throw turnedAway();
  return row;
}

/** Does nothing when another upload has taken the import over. */
export async function interruptRun(ctx: CoreContext, run: ImportRun, bytesRead: number): Promise<void> {
  await endRun(ctx, run, { event: 'interrupted', bytesRead });
}

async function endRun(
  ctx: CoreContext,
  { id, run }: ImportRun,
  { event, bytesRead }: { event: 'finished' | 'interrupted'; bytesRead: number },
): Promise<LeadImportRow | undefined> {
  const { from, to } = IMPORT_STEPS[event];
  const [row] = await ctx.db.query(updateEnd, [id, run, to, from, bytesRead, now(ctx)]);
  return row;
}

/** Begins to undo an import; does nothing when it is undone already. */
export async function beginUndo(ctx: CoreContext, tx: Tx, id: number): Promise<void> {
  const { from, to } = IMPORT_STEPS['undo-requested'];
  await tx.query(updateToUndoing, [id, to, from, now(ctx)]);
}

/** Records that the leads of an import have been removed. */
export async function endUndo(ctx: CoreContext, tx: Tx, id: number): Promise<void> {
  const { from, to } = IMPORT_STEPS['leads-removed'];
  await tx.query(updateToUndone, [id, to, from, now(ctx)]);
}

/** The error for a key that was used with another file. */
export function otherFile(): DomainError {
  return new DomainError('invalid', 'This Idempotency-Key was used with another file or other options.');
}

function turnedAway(): DomainError {
  return new DomainError('conflict', 'Another upload has taken this import over, or it was undone.');
}
