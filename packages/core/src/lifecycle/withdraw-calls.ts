/**
 * Ends live calls because the owner of their campaign or lead has changed it, or because their token or user was shut out. Each call in a transaction of its own: a
 * dial holds its call and locks lead and campaign, so a transaction that holds those must not lock calls. For a stopped
 * campaign the job `run_campaign` does the same, should this be interrupted.
 */
import { statement, type Tx } from '@parley/db';
import { lockCall } from '../calls/lock-call.ts';
import { endLiveCall } from './request-hang-up.ts';
import type { CoreContext } from '../context.ts';
import { pastFrozenProcesses } from '../capacity/past-frozen-processes.ts';

/** Why; becomes the call's `ended_reason`. None of them is an attempt, see lead-outcome.rules.ts. */
type WithdrawalReason =
  | 'campaign_stopped'
  | 'campaign_deleted'
  | 'lead_done'
  | 'lead_deleted'
  | 'token_revoked'
  | 'account_disabled';

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

const selectTokenCalls = statement<{ callId: number }>(
  'live_token_calls',
  `select call_id from live_calls where token_id = $1 and campaign_id is null and type = 'outbound' order by call_id`,
);
const selectUserCalls = statement<{ callId: number }>(
  'live_user_calls',
  `select call_id from live_calls where user_id = $1 and campaign_id is null and type = 'outbound' order by call_id`,
);

/** A frozen process may hold several of the calls; waiting for one after the other would take seconds. */
const AT_ONCE = 4;

/** Every live call of a campaign. */
export async function findCampaignCalls(tx: Tx, campaignId: number): Promise<number[]> {
  return (await tx.query(selectCampaignCalls, [campaignId])).map(({ callId }) => callId);
}

/** The live calls that were placed with a token. Those of its campaigns end with them. */
export async function findTokenCalls(tx: Tx, tokenId: number): Promise<number[]> {
  return (await tx.query(selectTokenCalls, [tokenId])).map(({ callId }) => callId);
}

/** The live calls that a user has placed. Those of campaigns end with them. */
export async function findUserCalls(tx: Tx, userId: number): Promise<number[]> {
  return (await tx.query(selectUserCalls, [userId])).map(({ callId }) => callId);
}

/** The live calls to a lead and its contacts. While the lead is locked there can be no new ones. */
export async function findLeadCalls(tx: Tx, lead: { id: number; userId: number }): Promise<number[]> {
  return (await tx.query(selectLeadCalls, [lead.userId, lead.id])).map(({ callId }) => callId);
}

/** Calls whose INVITE was not sent fail at once; for the others a job asks voice. Calls that have ended are skipped. */
export async function withdrawCalls(ctx: CoreContext, withdrawal: Withdrawal): Promise<void> {
  const { callIds, reason, isEndingConversations = false } = withdrawal;
  const end = (callId: number) =>
    pastFrozenProcesses(ctx, async (tx) => {
      const locked = await lockCall(tx, callId);
      if (!locked?.live || (locked.live.answeredAt !== null && !isEndingConversations)) return;
      await endLiveCall(ctx, tx, { ...locked, live: locked.live }, reason);
    });
  for (let next = 0; next < callIds.length; next += AT_ONCE)
    await Promise.all(callIds.slice(next, next + AT_ONCE).map(end));
}
