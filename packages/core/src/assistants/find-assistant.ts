/** One assistant of its owner. */
import type { AssistantDetailsRecord } from '@parley/contracts';
import { Assistant } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { assistantNotFound, describeDetails, ownAssistants } from './own-assistant.ts';

/** @throws DomainError `not-found`, also when it is deleted or has another owner */
export async function findAssistant(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<AssistantDetailsRecord> {
  const row = await ctx.db.em.findOne(Assistant, { id, ...ownAssistants(identity) });
  if (!row) throw assistantNotFound();
  return describeDetails(ctx.db, row);
}
