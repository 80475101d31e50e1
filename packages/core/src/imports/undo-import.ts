/**
 * Undoes an import: removes its leads that were never called, in SQL, a few thousand at a time. The owner's request does this,
 * and the job `undo_import` repeats it in case it was interrupted. A lead that the dialer has locked is being called, so it
 * stays.
 */
import type { ImportRecord } from '@parley/contracts';
import { statement, type LeadImportRow, type Tx } from '@parley/db';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import type { Identity } from '../users/identity.ts';
import { findImportRow } from './find-imports.ts';
import { importRecord } from './import-record.ts';
import { beginUndo, endUndo } from './import-run.ts';

/** The job that repeats an interrupted undo runs after this time, milliseconds. */
const SAFETY_DELAY_MS = 60_000;
const LEADS_AT_A_TIME = 5000;

/** Locks the import, so that one process at a time removes a batch of leads. */
const lockUndoing = statement<{ campaignId: number }>(
  'lock_undoing',
  `select campaign_id from lead_imports where id = $1 and state = 'undoing' for update`,
);
const selectStretch = statement<{ lastId: number | null; leads: number }>(
  'undo_stretch',
  `select max(id) as last_id, count(*) as leads
   from (select id from leads where import_id = $1 and id > $2 order by id limit ${LEADS_AT_A_TIME}) l`,
);
const deleteLeads = statement<{ removed: number }>(
  'undo_leads',
  `with free as (
     select l.id from leads l where l.import_id = $1 and l.id > $2 and l.id <= $3
       and l.attempts = 0 and l.dial_state in ('waiting', 'blocked', 'done')
       and not exists (select 1 from calls c where c.lead_id = l.id)
     for update skip locked),
   gone as (delete from leads where id in (select id from free) returning 1)
   select count(*) as removed from gone`,
);
const addRemoved = statement(
  'count_undone',
  `update lead_imports set leads_removed = leads_removed + $2, updated_at = $3 where id = $1`,
);
const deleteErrors = statement('forget_import_errors', `delete from lead_import_errors where import_id = $1`);
const countKept = statement<{ kept: number }>(
  'count_kept_leads',
  `select count(*) as kept from leads where import_id = $1`,
);
const selectRunning = statement<{ isRunning: boolean }>(
  'undone_campaign_status',
  `select status = 'in-progress' as is_running from campaigns where id = $1`,
);

/** The result of an undo. */
export interface UndoneImport {
  record: ImportRecord;
  /** Leads that were called, or are being called. */
  leadsKept: number;
}

/** May be repeated. @throws DomainError `not-found`, also for another user's import */
export async function undoImport(ctx: CoreContext, identity: Identity, id: number): Promise<UndoneImport> {
  await findImportRow(ctx, identity, id);
  await ctx.db.transaction(async (tx) => {
    await beginUndo(ctx, tx, id);
    const runAt = new Date(ctx.clock.now() + SAFETY_DELAY_MS);
    await enqueue(tx, 'undo_import', { importId: id }, { runAt, jobKey: `undo-import:${id}` });
  });
  await removeImportedLeads(ctx, id);
  const row = await findImportRow(ctx, identity, id);
  const [counted] = await ctx.db.query(countKept, [id]);
  return { record: importRecord(row, now(ctx)), leadsKept: counted?.kept ?? 0 };
}

/** Continues an undo; does nothing for an import that is not being undone. */
export async function removeImportedLeads(ctx: CoreContext, id: number): Promise<void> {
  for (let after: number | null = 0; after !== null;) after = await removeStretch(ctx, id, after);
}

/** @returns the id of the last lead of the batch; null when there are no more */
async function removeStretch(ctx: CoreContext, id: number, after: number): Promise<number | null> {
  return ctx.db.transaction(async (tx) => {
    const [undoing] = await tx.query(lockUndoing, [id]);
    if (!undoing) return null;
    const [stretch] = await tx.query(selectStretch, [id, after]);
    if (stretch?.lastId == null) return endUndoing(ctx, tx, { id, campaignId: undoing.campaignId });
    const [deleted] = await tx.query(deleteLeads, [id, after, stretch.lastId]);
    await tx.query(addRemoved, [id, deleted?.removed ?? 0, now(ctx)]);
    return stretch.lastId;
  });
}

/** Wakes the campaign, which may be complete without the removed leads. */
async function endUndoing(
  ctx: CoreContext,
  tx: Tx,
  { id, campaignId }: Pick<LeadImportRow, 'id' | 'campaignId'>,
): Promise<null> {
  await tx.query(deleteErrors, [id]);
  await endUndo(ctx, tx, id);
  const [campaign] = await tx.query(selectRunning, [campaignId]);
  if (campaign?.isRunning) await wakeCampaign(tx, campaignId);
  return null;
}
