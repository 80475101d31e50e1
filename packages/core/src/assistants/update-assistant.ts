/** Changes an assistant: what was not sent stays as it is. Calls in progress keep the configuration they began with. */
import { fieldFault, wording, type AssistantChanges, type AssistantRecord } from '@parley/contracts';
import type { AssistantRow, Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import type { FieldMessages } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { disableDeliveries } from '../webhooks/disable-deliveries.ts';
import { changedAssistant } from './assistant-input.ts';
import { assistantRecord } from './assistant-record.ts';
import { findAssistantReferences, type WantedReferences } from './assistant-references.ts';
import { scriptFaults } from './check-script.ts';
import { refuseFaults, translateNumberTaken } from './invalid-assistant.ts';
import { lockAssistant, saveAssistant } from './stored-assistant.ts';
import { toolsToStore } from './tools-to-store.ts';

/** Which one, and what is to be different. */
export interface UpdateAssistantInput {
  id: number;
  changes: AssistantChanges;
}

/**
 * @throws DomainError `not-found`, also when it is deleted or somebody else's; `invalid`, with messages per field, when
 *   the assistant cannot be what the changes would make it
 */
export async function updateAssistant(
  ctx: CoreContext,
  identity: Identity,
  { id, changes }: UpdateAssistantInput,
): Promise<AssistantRecord> {
  const { userId } = identity;
  try {
    return await ctx.db.transaction(async (tx) => {
      const stored = await lockAssistant(tx, identity, id);
      const wanted = wantedReferences(stored, changes);
      const owner = { userId, assistantId: id };
      const { ids, language, faults } = await findAssistantReferences(tx, owner, wanted);
      const script = await changedScriptFaults(tx, stored, { ...changes, ids });
      const written = changes.tools;
      const sealed = written && (await toolsToStore(ctx, tx, owner, { written, stored: stored.tools }));
      refuseFaults({ ...faults, ...webhookFault(stored, changes), ...script, ...sealed?.faults });
      const { languageName, ...row } = stored;
      const sealedTools = sealed?.tools;
      const changed = changedAssistant(row, { ...changes, ids, sealedTools }, now(ctx));
      await saveAssistant(tx, changed);
      await disableWhatIsOff(ctx, tx, changed);
      return assistantRecord({ ...changed, languageName: language?.name ?? languageName });
    });
  } catch (error) {
    throw translateNumberTaken(error);
  }
}

/** A change of mode or type is a new question to the voice or the number that stays. */
function wantedReferences(stored: AssistantRow, changes: AssistantChanges): WantedReferences {
  const { mode = stored.mode, type = stored.type } = changes;
  return {
    ...changes,
    ...(mode !== stored.mode && { voice_id: changes.voice_id ?? stored.voiceId }),
    ...(type !== stored.type &&
      changes.phone_number_id === undefined && { phone_number_id: stored.phoneNumberId }),
    mode,
    type,
  };
}

/** A script that is neither changed nor given to another model is not looked at again. */
async function changedScriptFaults(
  tx: Tx,
  stored: AssistantRow,
  { system_prompt: prompt, ids }: AssistantChanges & { ids: Partial<Pick<AssistantRow, 'llmModelId'>> },
): Promise<FieldMessages> {
  if (prompt === undefined && ids.llmModelId === undefined) return {};
  const llmModelId = ids.llmModelId ?? stored.llmModelId;
  return scriptFaults(tx, { llmModelId, systemPrompt: prompt ?? stored.systemPrompt });
}

/** "Required when" is satisfied by the stored address, unless this very change removes it. */
function webhookFault(stored: AssistantRow, changes: AssistantChanges): FieldMessages {
  const { is_webhook_active: isActive, webhook_url: url = stored.webhookUrl } = changes;
  if (isActive !== true || url !== null) return {};
  return fieldFault('webhook_url', wording.requiredWhen('is_webhook_active is true'));
}

async function disableWhatIsOff(
  ctx: CoreContext,
  tx: Tx,
  { id: assistantId, isWebhookActive, inboundWebhookUrl }: AssistantRow,
): Promise<void> {
  if (!isWebhookActive) await disableDeliveries(ctx, tx, { assistantId, target: 'post-call' });
  if (inboundWebhookUrl === null) await disableDeliveries(ctx, tx, { assistantId, target: 'inbound' });
}
