/**
 * Ends live calls because the owner of their campaign or lead changed their mind. Each call in a transaction of its own:
 * whoever dials holds a call and asks for its lead and campaign, so nobody may hold those and ask for calls. For a
 * stopped campaign the job `run_campaign` does the same, should this be interrupted.
 */
import { statement, type Tx } from '@parley/db';
import { lockCall } from '../calls/lock-call.ts';
import { endLiveCall } from './request-hang-up.ts';
import type { CoreContext } from '../context.ts';

/** Why; becomes the call's `ended_reason`. None of them is an attempt, see lead-outcome.rules.ts. */
type WithdrawalReason = 'campaign_stopped' | 'campaign_deleted' | 'lead_done' | 'lead_deleted';

/** Which calls, and why. */
export interface Withdrawal {
  callIds: readonly number[];
  reason: WithdrawalReason;
  /** Conversations in progress end too. Default: they go on. */
  isEndingConversations?: boolean;
}

const selectCampaignCalls = statement<{ callId: number }>(
  'live_campaign_calls',
  `select call_id from live_calls where campaign_id = $1 order by call_id`,
);
const selectLeadCalls = statement<{ callId: number }>(
  'live_lead_calls',
  `select call_id from live_calls
   where user_id = $1 and lead_id in (select id from leads where id = $2 or parent_id = $2) order by call_id`,
);

/** Every live call of a campaign. */
export async function findCampaignCalls(tx: Tx, campaignId: number): Promise<number[]> {
  return (await tx.query(selectCampaignCalls, [campaignId])).map(({ callId }) => callId);
}

/** The live calls to a lead and its contacts. While the lead is locked there can be no new ones. */
export async function findLeadCalls(tx: Tx, lead: { id: number; userId: number }): Promise<number[]> {
  return (await tx.query(selectLeadCalls, [lead.userId, lead.id])).map(({ callId }) => callId);
}

/** What has not left yet fails at once, for the rest voice is asked; what is over by now is fine. */
export async function endCampaignCalls(ctx: CoreContext, withdrawal: Withdrawal): Promise<void> {
  const { callIds, reason, isEndingConversations = false } = withdrawal;
  for (const callId of callIds) {
    await ctx.db.transaction(async (tx) => {
      const locked = await lockCall(tx, callId);
      if (!locked?.live || (locked.live.answeredAt !== null && !isEndingConversations)) return;
      await endLiveCall(ctx, tx, { ...locked, live: locked.live }, reason);
    });
  }
}
