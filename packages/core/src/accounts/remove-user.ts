/**
 * Removes a user with all their data: calls and recordings, webhooks, campaigns and leads, assistants, numbers, trunks and
 * providers of their own. The request only marks the user; a job deletes the data (docs/decisions/removing-users.md).
 */
import { statement, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { enqueue } from '../jobs/catalogue.ts';
import { DomainError } from '../shared/domain-error.ts';
import { lockUser } from '../users/end-sessions.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';

/**
 * A request that was authenticated before the user was disabled may still place a call. After this long every such transaction
 * has ended (statements and idle transactions are cut after 30 s). Milliseconds.
 */
const LAST_REQUESTS_MS = 60_000;

const hasCalls = statement<{ isBusy: boolean }>(
  'user_has_unfinished_calls',
  `select exists (select 1 from live_calls where user_id = $1)
     or exists (select 1 from calls where user_id = $1
       and status not in ('completed', 'busy', 'no-answer', 'failed')) as is_busy`,
);

/**
 * The user must be disabled, so that no call, session or request of theirs begins. Idempotent.
 *
 * @throws DomainError `forbidden` for members, `not-found`, `conflict` for a user who is enabled or has calls that are not over
 */
export async function removeUser(ctx: CoreContext, identity: Identity, userId: number): Promise<void> {
  requireOperator(identity);
  await requestUserRemoval(ctx, userId);
}

/**
 * The same for the command line.
 *
 * @throws DomainError `not-found`, `conflict`
 */
export async function requestUserRemoval(ctx: CoreContext, userId: number): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) throw new DomainError('not-found', 'User not found');
    if (user.disabledAt === null)
      throw new DomainError(
        'conflict',
        'Disable the user before you remove them. Their campaigns stop then.',
      );
    if (await hasUnfinishedCalls(tx, userId))
      throw new DomainError(
        'conflict',
        'Calls of this user are in progress. Remove the user when they are over.',
      );
    user.removalRequestedAt ??= now(ctx);
    const runAt = new Date(user.removalRequestedAt.getTime() + LAST_REQUESTS_MS);
    await enqueue(tx, 'remove_user', { userId }, { runAt, jobKey: `remove_user:${userId}` });
  });
}

export async function hasUnfinishedCalls(tx: Tx, userId: number): Promise<boolean> {
  const [found] = await tx.query(hasCalls, [userId]);
  return found?.isBusy === true;
}
