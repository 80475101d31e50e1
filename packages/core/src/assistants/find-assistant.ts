/** One assistant of its owner. */
import type { AssistantDetailsRecord } from '@parley/contracts';
import { Assistant } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { assistantNotFound, describeAssistant, ownAssistants } from './own-assistant.ts';

/** @throws DomainError `not-found`, also when it is deleted or has another owner */
export async function findAssistant(
  ctx: CoreContext,
  identity: Identity,
  id: number,
): Promise<AssistantDetailsRecord> {
  const row = await ctx.db.em.findOne(Assistant, { id, ...ownAssistants(identity) });
  if (!row) throw assistantNotFound();
  return {
    ...(await describeAssistant(ctx.db, row)),
    initial_message_delay: row.initialMessageDelaySeconds,
    initial_message_interruptible: row.isInitialMessageInterruptible,
    fallback_llm_models: row.fallbackLlmModels,
    disclosure_message: row.disclosureMessage,
    redact: row.redact,
    opt_out_key: row.optOutKey as AssistantDetailsRecord['opt_out_key'],
    folder_id: row.folderId,
    label_ids: row.labelIds,
    tool_ids: row.toolIds,
  };
}
