/** Operators remove the second factor of users who have lost it. */
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { requireOperator } from '../users/require-operator.ts';
import { clearSecondFactor } from '../users/second-factor.ts';

/**
 * Idempotent.
 *
 * @throws DomainError `forbidden` for members, `not-found`, `conflict` for the own second factor, for which `disableSecondFactor`
 *   asks for password and code
 */
export async function resetSecondFactor(ctx: CoreContext, identity: Identity, userId: number): Promise<void> {
  requireOperator(identity);
  if (userId === identity.userId)
    throw new DomainError('conflict', 'Switch your own second factor off on the page Account.');
  await clearSecondFactor(ctx, userId);
}
