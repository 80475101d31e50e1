/** One assistant of its owner. */
import type { AssistantRecord } from '@parley/contracts';
import { Assistant } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { assistantNotFound, describeAssistant, ownAssistants } from './own-assistant.ts';

/** @throws DomainError `not-found`, also when it is deleted or has another owner */
export async function findAssistant(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<AssistantRecord> {
  const row = await ctx.db.em.findOne(Assistant, { id, ...ownAssistants(identity) });
  if (!row) throw assistantNotFound();
  return describeAssistant(ctx.db, row);
}
