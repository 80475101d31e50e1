/** The campaigns of their owner: all of them, newest first, and one with its progress. */
import type { CampaignDetail, CampaignProgress, CampaignRecord } from '@parley/contracts';
import { Campaign, LockMode, statement, type CampaignRow, type Transaction, type Tx } from '@parley/db';
import { countDispositions } from '../calls/call-disposition.ts';
import { countOutcomes } from '../calls/count-outcomes.ts';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { obstacleOf, type CampaignObstacle } from './campaign-obstacle.rules.ts';
import { campaignDetail, campaignRecord } from './campaign-record.ts';
import { countUncallable } from './count-uncallable.ts';
import { commonWindowAt } from '../dialing/common-window.rules.ts';
import { isDialable } from '../dialing/dial-input.ts';

/** SQL, because it counts all leads of a campaign. The names are the API's, in camelCase. */
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
     count(*) filter (where attempts > 0 or dial_state = 'dialing') as called,
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
  called: number;
  liveCalls: number;
}

/** All of them, without progress. */
export async function listCampaigns(ctx: CoreContext, identity: Identity): Promise<CampaignRecord[]> {
  const rows = await ctx.db.em.find(Campaign, ownCampaigns(identity), { orderBy: { id: 'desc' } });
  return rows.map(campaignRecord);
}

/** @throws DomainError `not-found`, also when it is deleted or has another owner */
export async function findCampaign(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<CampaignDetail> {
  const row = await ctx.db.em.findOne(Campaign, { id, ...ownCampaigns(identity) });
  if (!row) throw campaignNotFound();
  const progress = await readProgress(ctx.db, row);
  const obstacle = await obstacleWith(ctx, ctx.db, row, progress);
  const hours = commonWindowAt(row, [], now(ctx));
  const opensAt = hours.isOpen ? null : hours.opensAt;
  return campaignDetail(row, { progress, obstacle, isOpen: hours.isOpen, opensAt });
}

async function readProgress(tx: Tx, { id, userId, dispositions }: CampaignRow): Promise<CampaignProgress> {
  const [counts] = await tx.query(countLeads, [id]);
  if (!counts) throw new Error('A count returned no row');
  return {
    ...progressFrom(counts),
    outcomes: await countOutcomes(tx, { userId, campaignId: id }),
    dispositions: await countDispositions(tx, id, dispositions),
  };
}

async function obstacleWith(
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

/**
 * Why a campaign that is to be started can never finish as it stands; null when it can, or waits for its first lead. Leads
 * that no claim has blocked yet are judged as a claim would judge them.
 */
export async function findObstacle(
  ctx: CoreContext,
  tx: Tx,
  row: CampaignRow,
): Promise<CampaignObstacle | null> {
  const progress = await readProgress(tx, row);
  const blocked = progress.blocked + (await countUncallable(ctx, tx, row.id));
  return obstacleWith(ctx, tx, row, { ...progress, blocked });
}

/**
 * Locks a campaign for a change of its row. Creations of leads wait for the lock, and so does the dialer.
 *
 * @throws DomainError `not-found`, also when it is deleted or has another owner
 */
export async function lockOwnCampaign(tx: Transaction, identity: Identity, id: number): Promise<CampaignRow> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const row = await tx.em.findOne(Campaign, { id, ...ownCampaigns(identity) }, lock);
  if (!row) throw campaignNotFound();
  return row;
}

function ownCampaigns({ userId }: Identity) {
  return { userId, deletedAt: null };
}

/** The error for a campaign that is missing. */
export function campaignNotFound(): DomainError {
  return new DomainError('not-found', 'Campaign not found');
}

function progressFrom(counts: Counts): Omit<CampaignProgress, 'outcomes' | 'dispositions'> {
  const { reachedMaxRetries, waitingToRetry, liveCalls, ...same } = counts;
  return {
    ...same,
    reached_max_retries: reachedMaxRetries,
    waiting_to_retry: waitingToRetry,
    live_calls: liveCalls,
  };
}
