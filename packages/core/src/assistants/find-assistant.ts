/** One assistant of its owner. */
import type { AssistantRecord } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { assistantRecord } from './assistant-record.ts';
import { readAssistant } from './stored-assistant.ts';

/** @throws DomainError `not-found`, also when it is deleted or somebody else's */
export async function findAssistant(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<AssistantRecord> {
  return assistantRecord(await readAssistant(ctx.db, identity, id));
}
