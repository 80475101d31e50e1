/**
 * Removes the leads of a deleted campaign, in SQL, because there may be a million. Each statement removes a few thousand, so
 * that none exceeds the time limit. The deletion of the campaign does this, and the job `remove_leads` repeats it in case it
 * was interrupted.
 */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';

const LEADS_AT_A_TIME = 10_000;
const DELETED = 'select id from campaigns where id = $1 and deleted_at is not null';

const emptyQueue = statement('empty_dial_queue', `delete from dial_queue where campaign_id in (${DELETED})`);
/** Contacts first: the deletion of a lead would otherwise search for its contacts one by one. */
const deleteContacts = deleteWhere('contacts', 'parent_id is not null');
const deleteLeads = deleteWhere('leads', 'true');

function deleteWhere(name: string, condition: string) {
  return statement<{ deleted: number }>(
    `remove_campaign_${name}`,
    `with gone as (delete from leads where id in
       (select id from leads where campaign_id in (${DELETED}) and ${condition} limit ${LEADS_AT_A_TIME}) returning 1)
     select count(*) as deleted from gone`,
  );
}

/** Import reports contain phone numbers. */
const deleteImports = statement(
  'remove_campaign_imports',
  `delete from lead_imports where campaign_id in (${DELETED})`,
);

/** Safe to repeat; a campaign that is not deleted keeps its leads. */
export async function removeLeads(ctx: CoreContext, campaignId: number): Promise<void> {
  await ctx.db.query(emptyQueue, [campaignId]);
  await ctx.db.query(deleteImports, [campaignId]);
  for (const sql of [deleteContacts, deleteLeads]) {
    for (let isMore = true; isMore;) {
      const [counted] = await ctx.db.query(sql, [campaignId]);
      isMore = counted?.deleted === LEADS_AT_A_TIME;
    }
  }
}
