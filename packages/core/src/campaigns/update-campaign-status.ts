/**
 * Starts and stops campaigns. The only writer of a campaign's status beside the dialer, which completes it: both ask
 * campaign-state.rules.ts. A stop holds for every dial from its commit on, because the last check before an INVITE reads
 * the status under the campaign's lock.
 */
import type { CampaignStatus } from '@parley/contracts';
import { statement, type CampaignRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { nextCampaignStatus, type CampaignEvent } from './campaign-state.rules.ts';
import { endCampaignCalls, findCampaignCalls } from '../lifecycle/end-campaign-calls.ts';
import { lockOwnCampaign, warnOfObstacle } from './find-campaign.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

/** What a campaign lacks for a start, in words for its owner. */
interface StartRefusal {
  isStarted: false;
  message: string;
}

/** What became of a start. */
export type StartResult = { isStarted: true; status: CampaignStatus } | StartRefusal;

const writeStatus = statement(
  'write_campaign_status',
  `update campaigns set status = $2, updated_at = $3 where id = $1`,
);

interface Means {
  hasAssistant: boolean;
  hasNumber: boolean;
}

/** A trunk's own number is what the account shows where it has none; see route-call.rules.ts. */
const selectMeans = statement<Means>(
  'campaign_means',
  `select
     exists (select 1 from assistants a where a.id = $2 and a.user_id = $1 and a.type = 'outbound'
       and a.status = 'active' and a.deleted_at is null) as has_assistant,
     exists (select 1 from phone_numbers n where n.user_id = $1)
       or exists (select 1 from trunks t where (t.user_id = $1 or t.user_id is null) and t.caller_number is not null)
       as has_number`,
);

/** @throws DomainError `not-found`, also for somebody else's campaign */
export async function startCampaign(ctx: CoreContext, identity: Identity, id: number): Promise<StartResult> {
  return ctx.db.transaction(async (tx) => {
    const campaign = await lockOwnCampaign(tx, identity, id);
    const message = await whatIsMissing(tx, campaign);
    if (message !== null) return { isStarted: false, message };
    const status = await applyCampaignEvent(ctx, tx, campaign, 'start');
    await warnOfObstacle(ctx, tx, campaign);
    await wakeCampaign(tx, id);
    return { isStarted: true, status };
  });
}

/**
 * First the status, then the calls: from the first commit on nothing new leaves.
 *
 * @param options.isHangingUp - conversations in progress end too; otherwise only what nobody has answered
 * @throws DomainError `not-found`, also for somebody else's campaign
 */
export async function stopCampaign(
  ctx: CoreContext,
  identity: Identity,
  options: { id: number; isHangingUp: boolean },
): Promise<{ status: CampaignStatus }> {
  const { id, isHangingUp: isEndingConversations } = options;
  const status = await ctx.db.transaction(async (tx) => {
    const campaign = await lockOwnCampaign(tx, identity, id);
    const next = await applyCampaignEvent(ctx, tx, campaign, 'stop');
    await wakeCampaign(tx, id);
    return next;
  });
  const callIds = await findCampaignCalls(ctx.db, id);
  await endCampaignCalls(ctx, { callIds, reason: 'campaign_stopped', isEndingConversations });
  return { status };
}

/** Writes the status that the rules say, inside the transaction that locked the campaign. */
export async function applyCampaignEvent(
  ctx: CoreContext,
  tx: Tx,
  campaign: Pick<CampaignRow, 'id' | 'status'>,
  event: CampaignEvent,
): Promise<CampaignStatus> {
  const status = nextCampaignStatus(campaign.status, event);
  if (status !== campaign.status) await tx.query(writeStatus, [campaign.id, status, now(ctx)]);
  return status;
}

/** @returns null when nothing is missing */
async function whatIsMissing(
  tx: Tx,
  campaign: Pick<CampaignRow, 'userId' | 'assistantId'>,
): Promise<string | null> {
  const [means] = await tx.query(selectMeans, [campaign.userId, campaign.assistantId]);
  if (!means?.hasAssistant)
    return 'The campaign needs an active outbound assistant before it can be started.';
  if (means.hasNumber) return null;
  return 'The campaign needs a caller number before it can be started, because the account has no default one.';
}
