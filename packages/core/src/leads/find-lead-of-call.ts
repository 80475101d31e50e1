/** The lead that a call was made for. */
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';

const selectLeadOfCall = statement<{ id: number }>(
  'main_lead_of_call',
  `select coalesce(called.parent_id, called.id) as id from calls
   join leads called on called.id = calls.lead_id
   join campaigns on campaigns.id = called.campaign_id
   where calls.id = $1 and calls.user_id = $2 and called.user_id = $2 and campaigns.deleted_at is null`,
);

/**
 * The main lead, also where one of its other numbers was called.
 *
 * @returns null: the call had no lead, the lead is deleted, or the call is another user's
 */
export async function findLeadOfCall(
  ctx: CoreContext,
  { userId }: Identity,
  callId: number,
): Promise<{ id: number } | null> {
  const [lead] = await ctx.db.query(selectLeadOfCall, [callId, userId]);
  return lead ?? null;
}
