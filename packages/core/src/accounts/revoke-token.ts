/** Revokes an API token of the requesting user, with what it has begun and is not answered yet. */
import { ApiToken } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { stopCampaigns } from '../dialing/stop-campaigns.ts';
import { findTokenCalls, withdrawCalls } from '../lifecycle/withdraw-calls.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';

/**
 * Every process refuses the token from the next request on, because each request reads the database. Campaigns that it has
 * started last stop, and its unanswered calls end: a call that is about to be dialed holds its
 * row, so that it is dialed before the answer to the revocation or not at all. A call that a request places at the same moment
 * is refused by the permission to dial. Conversations go on. Idempotent.
 *
 * @throws DomainError `not-found`, also for another user's token
 */
export async function revokeToken(ctx: CoreContext, identity: Identity, tokenId: number): Promise<void> {
  const { userId } = identity;
  await ctx.db.transaction(async (tx) => {
    const token = await tx.em.findOne(ApiToken, { id: tokenId, userId });
    if (!token) throw new DomainError('not-found', 'Token not found');
    token.revokedAt ??= now(ctx);
    // A start locks the token first: those on their way end before this statement, later ones wait for the commit.
    await tx.em.flush();
    await stopCampaigns(ctx, tx, { userId, tokenId });
  });
  await withdrawCalls(ctx, { callIds: await findTokenCalls(ctx.db, tokenId), reason: 'token_revoked' });
}
