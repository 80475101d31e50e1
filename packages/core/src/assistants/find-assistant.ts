/** One assistant of its owner. */
import type { AssistantRecord } from '@parley/contracts';
import { Assistant, Language } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { assistantRecord } from './assistant-record.ts';

/** @throws DomainError `not-found`, also when it is deleted or somebody else's */
export async function findAssistant(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<AssistantRecord> {
  const em = ctx.db.orm();
  const row = await em.findOne(Assistant, { id, userId: identity.userId, deletedAt: null });
  if (!row) throw new DomainError('not-found', 'Assistant not found');
  const language = await em.findOne(Language, { id: row.languageId });
  return assistantRecord(row, language?.name ?? null);
}
