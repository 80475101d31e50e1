/**
 * Starts and stops campaigns. A stop applies to every dial from its commit on, because the last check before an INVITE
 * reads the status under the campaign's lock.
 */
import { errorText, type CampaignStatus } from '@parley/contracts';
import { Assistant, PhoneNumber, statement, Trunk, type CampaignRow, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { sharedOrOwn } from '../lookups/shared-or-own.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { queueLeadsBlockedByCampaign } from '../dialing/lead-state.ts';
import { applyCampaignEvent } from '../dialing/campaign-status.ts';
import { withdrawCalls, findCampaignCalls } from '../lifecycle/withdraw-calls.ts';
import { pastFrozenProcesses } from '../capacity/past-frozen-processes.ts';
import { explainObstacle } from './campaign-obstacle.rules.ts';
import { findObstacle, lockOwnCampaign } from './find-campaign.ts';
import { wakeCampaign } from '../jobs/wake-campaign.ts';

/** The reason why a campaign cannot be started, as a text for its owner. */
interface StartRefusal {
  isStarted: false;
  message: string;
}

/** A revocation waits for the start, and then stops the campaign; or the start waits for it, and is refused. */
const pinToken = statement<{ isRevoked: boolean }>(
  'pin_token_of_start',
  `select revoked_at is not null as is_revoked from api_tokens where id = $1 for share`,
);

/** The result of a start. */
export type StartResult = { isStarted: true; status: CampaignStatus } | StartRefusal;

const CERTAIN_NUMBERS_ONLY = 'This API token may call certain numbers only, so it cannot start a campaign.';

/**
 * @throws DomainError `not-found`, also for another user's campaign; `forbidden` for a token that may call certain numbers
 *   only, `unauthenticated` for one that is being revoked
 */
export async function startCampaign(ctx: CoreContext, identity: Identity, id: number): Promise<StartResult> {
  if (identity.allowedNumbers) throw new DomainError('forbidden', CERTAIN_NUMBERS_ONLY);
  return ctx.db.transaction(async (tx) => {
    // Before the campaign, in the order of a revocation.
    await refuseRevokedToken(tx, identity);
    const campaign = await lockOwnCampaign(tx, identity, id);
    const message = await whatIsMissing(tx, campaign);
    if (message !== null) return { isStarted: false, message };
    // The zones of their numbers or the dates of the change of clocks may have changed since they were blocked.
    await queueLeadsBlockedByCampaign(tx, id, now(ctx));
    const obstacle = campaign.status === 'in-progress' ? null : await findObstacle(ctx, tx, campaign);
    if (obstacle !== null) return { isStarted: false, message: explainObstacle(obstacle) };
    const status = applyCampaignEvent(ctx, campaign, 'start');
    // The limits of the token count the dials of a campaign that it has started.
    campaign.tokenId = identity.tokenId;
    await wakeCampaign(tx, id);
    return { isStarted: true, status };
  });
}

async function refuseRevokedToken(tx: Tx, { tokenId }: Identity): Promise<void> {
  const [token] = tokenId === null ? [] : await tx.query(pinToken, [tokenId]);
  if (token?.isRevoked) throw new DomainError('unauthenticated', errorText.unauthenticated);
}

/**
 * First the status, then the calls: after the first commit no new call is dialed. Neither waits for a process that is frozen
 * in the middle of a transaction.
 *
 * @param options.isHangingUp - conversations in progress end too; otherwise only calls that were not answered yet
 * @throws DomainError `not-found`, also for another user's campaign
 */
export async function stopCampaign(
  ctx: CoreContext,
  identity: Identity,
  options: { id: number; isHangingUp: boolean },
): Promise<{ status: CampaignStatus }> {
  const { id, isHangingUp: isEndingConversations } = options;
  const status = await pastFrozenProcesses(ctx, async (tx) => {
    const campaign = await lockOwnCampaign(tx, identity, id);
    const next = applyCampaignEvent(ctx, campaign, 'stop');
    await wakeCampaign(tx, id);
    return next;
  });
  const callIds = await findCampaignCalls(ctx.db, id);
  await withdrawCalls(ctx, { callIds, reason: 'campaign_stopped', isEndingConversations });
  return { status };
}

/** @returns the reason why the campaign cannot be started; null when it can */
async function whatIsMissing(
  tx: Tx,
  campaign: Pick<CampaignRow, 'userId' | 'assistantId'>,
): Promise<string | null> {
  const { userId, assistantId } = campaign;
  const usable = { userId, type: 'outbound', status: 'active', deletedAt: null } as const;
  if ((await tx.em.count(Assistant, { id: assistantId, ...usable })) === 0)
    return 'The campaign needs an active outbound assistant before it can be started.';
  if (await hasCallerNumber(tx, userId)) return null;
  return 'The campaign needs a caller number before it can be started, because the account has no default one.';
}

/** If the account has no number, calls show the number of the trunk; see route-call.rules.ts. */
async function hasCallerNumber(tx: Tx, userId: number): Promise<boolean> {
  if ((await tx.em.count(PhoneNumber, { userId })) > 0) return true;
  return (await tx.em.count(Trunk, { ...sharedOrOwn(userId), callerNumber: { $ne: null } })) > 0;
}
