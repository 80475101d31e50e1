/**
 * Removes the leads of a deleted campaign, a few thousand at a time, so that no single statement runs into the time
 * limit. Done by whoever deletes the campaign, and again by the job `remove_leads`, in case that was interrupted.
 */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';

const LEADS_AT_A_TIME = 10_000;
const DELETED = 'select id from campaigns where id = $1 and deleted_at is not null';

const emptyQueue = statement('empty_dial_queue', `delete from dial_queue where campaign_id in (${DELETED})`);
/** Contacts first: a lead that still had some would have to look for each of them. */
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

/** Reports of imports hold numbers of people. */
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
