/** The campaigns of their owner: all of them, newest first, and one with its progress. */
import type { CampaignDetail, CampaignProgress, CampaignRecord } from '@parley/contracts';
import { statement, type CampaignRow, type Tx } from '@parley/db';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { obstacleOf, type CampaignObstacle } from './campaign-obstacle.rules.ts';
import { campaignDetail, campaignRecord } from './campaign-record.ts';
import { isDialable } from '../dialing/dial-means.ts';

const selectCampaigns = statement<CampaignRow>(
  'list_campaigns',
  `select * from campaigns where user_id = $1 and deleted_at is null order by id desc`,
);
const selectCampaign = statement<CampaignRow>(
  'find_campaign',
  `select * from campaigns where id = $1 and user_id = $2 and deleted_at is null`,
);
const lockCampaignRow = statement<CampaignRow>(
  'lock_own_campaign',
  `select * from campaigns where id = $1 and user_id = $2 and deleted_at is null for update`,
);
/** Names of the columns are the wire's, in our case. */
const countLeads = statement<Counts>(
  'campaign_progress',
  `select count(*) as leads,
     count(*) filter (where status = 'created') as created,
     count(*) filter (where status = 'completed') as completed,
     count(*) filter (where status = 'reached-max-retries') as reached_max_retries,
     count(*) filter (where status = 'created' and dial_state = 'waiting') as waiting,
     count(*) filter (where status = 'created' and dial_state = 'dialing') as dialing,
     count(*) filter (where status = 'created' and dial_state = 'waiting-to-retry') as waiting_to_retry,
     count(*) filter (where status = 'created' and dial_state = 'blocked') as blocked,
     (select count(*) from live_calls where campaign_id = $1) as live_calls
   from leads where campaign_id = $1 and parent_id is null`,
);

interface Counts {
  leads: number;
  created: number;
  completed: number;
  reachedMaxRetries: number;
  waiting: number;
  dialing: number;
  waitingToRetry: number;
  blocked: number;
  liveCalls: number;
}

/** All of them, bare. */
export async function listCampaigns(ctx: CoreContext, identity: Identity): Promise<CampaignRecord[]> {
  return (await ctx.db.query(selectCampaigns, [identity.userId])).map(campaignRecord);
}

/** @throws DomainError `not-found`, also when it is deleted or somebody else's */
export async function findCampaign(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<CampaignDetail> {
  const [row] = await ctx.db.query(selectCampaign, [id, identity.userId]);
  if (!row) throw campaignNotFound();
  const progress = await readProgress(ctx.db, id);
  return campaignDetail(row, { progress, obstacle: await findObstacle(ctx, ctx.db, row, progress) });
}

async function readProgress(tx: Tx, id: number): Promise<CampaignProgress> {
  const [counts] = await tx.query(countLeads, [id]);
  if (!counts) throw new Error('A count came back without a row');
  return progressFrom(counts);
}

async function findObstacle(
  ctx: CoreContext,
  tx: Tx,
  row: CampaignRow,
  progress: CampaignProgress,
): Promise<CampaignObstacle | null> {
  return obstacleOf({
    window: row,
    isAssistantReady: isDialable(await freezeConfiguration(tx, row)),
    openLeads: progress.created,
    blockedLeads: progress.blocked,
    now: now(ctx),
  });
}

/** Says in the log that a campaign which was started can never finish. */
export async function warnOfObstacle(ctx: CoreContext, tx: Tx, row: CampaignRow): Promise<void> {
  const reason = await findObstacle(ctx, tx, row, await readProgress(tx, row.id));
  if (reason) ctx.log.warn({ campaignId: row.id, reason }, 'A campaign was started that can never finish');
}

/**
 * Locks a campaign for a change of its row. Leads that are being added wait, and so does the dialer.
 *
 * @throws DomainError `not-found`, also when it is deleted or somebody else's
 */
export async function lockOwnCampaign(tx: Tx, identity: Identity, id: number): Promise<CampaignRow> {
  const [row] = await tx.query(lockCampaignRow, [id, identity.userId]);
  if (!row) throw campaignNotFound();
  return row;
}

/** What every use case says of a campaign that is missing. */
export function campaignNotFound(): DomainError {
  return new DomainError('not-found', 'Campaign not found');
}

function progressFrom(counts: Counts): CampaignProgress {
  const { reachedMaxRetries, waitingToRetry, liveCalls, ...same } = counts;
  return {
    ...same,
    reached_max_retries: reachedMaxRetries,
    waiting_to_retry: waitingToRetry,
    live_calls: liveCalls,
  };
}
