/** Arms a restored installation: from then on it dials and posts webhooks. */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';
import { closeLostCall } from '../lifecycle/close-lost-call.ts';
import { wakeWebhooks } from '../outbox/wake-webhooks.ts';

/** The calls that were live at the time of the backup: a call of the copy has a process that exists, or none. */
const selectLost = statement<{ callId: number }>(
  'calls_to_end_before_arming',
  `select call_id from live_calls l
   where voice_process_id is not null and not exists (
     select 1 from voice_processes p where p.id = l.voice_process_id)
   order by call_id`,
);
const removeMark = statement<{ id: number }>('arm_installation', 'delete from restored_copy returning id');
const selectCampaigns = statement<{ id: number; isDeleted: boolean }>(
  'campaigns_to_arm',
  `select id, deleted_at is not null as is_deleted from campaigns
   where deleted_at is not null or status = 'in-progress' order by id`,
);
const selectUndone = statement<{ id: number }>(
  'imports_to_undo',
  `select id from lead_imports where state = 'undoing' order by id`,
);

/**
 * The calls of the original end first, because their end is the time of the backup only while the copy is disarmed. A
 * backup contains no jobs, so those that a campaign or an interrupted removal still needs are enqueued here.
 *
 * @returns false when the installation was armed already
 */
export async function arm(ctx: CoreContext): Promise<boolean> {
  for (const { callId } of await ctx.db.query(selectLost)) await closeLostCall(ctx, callId);
  return ctx.db.transaction(async (tx) => {
    if ((await tx.query(removeMark)).length === 0) return false;
    for (const { id, isDeleted } of await tx.query(selectCampaigns))
      await (isDeleted ? enqueue(tx, 'remove_leads', { campaignId: id }) : wakeCampaign(tx, id));
    for (const { id } of await tx.query(selectUndone)) await enqueue(tx, 'undo_import', { importId: id });
    await wakeWebhooks(tx);
    return true;
  });
}
