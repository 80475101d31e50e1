/** Changes an assistant. Fields that were not sent stay as they are. Calls in progress keep the configuration they started with. */
import { fieldFault, wording, type AssistantChanges, type AssistantRecord } from '@parley/contracts';
import type { AssistantRow, Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import type { FieldMessages } from '../shared/domain-error.ts';
import { disclosureFault } from '../lookups/disclosure-fault.ts';
import type { Identity } from '../users/identity.ts';
import { disableDeliveries } from '../outbox/delivery-state.ts';
import { changedAssistant } from './assistant-input.ts';
import { findAssistantReferences, type WantedReferences } from './assistant-references.ts';
import { scriptFaults } from './check-script.ts';
import { refuseFaults, translateNumberTaken } from './invalid-assistant.ts';
import { describeAssistant, lockAssistant } from './own-assistant.ts';
import { toolsToStore } from './tools-to-store.ts';

/** The assistant, and its changes. */
export interface UpdateAssistantInput {
  id: number;
  changes: AssistantChanges;
}

/**
 * @throws DomainError `not-found`, also when it is deleted or has another owner; `invalid`, with messages per field, when
 *   the changes are not valid for this assistant
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
      const { ids, faults } = await findAssistantReferences(tx, owner, wanted);
      const script = await changedScriptFaults(tx, stored, { ...changes, ids });
      const written = changes.tools;
      const sealed = written && (await toolsToStore(ctx, tx, owner, { written, stored: stored.tools }));
      const disclosure = await changedDisclosureFault(tx, stored, { ...changes, ids });
      const webhook = webhookFault(stored, changes);
      refuseFaults({ ...faults, ...webhook, ...script, ...disclosure, ...sealed?.faults });
      const sealedTools = sealed?.tools;
      Object.assign(stored, changedAssistant(stored, { ...changes, ids, sealedTools }, now(ctx)));
      await disableWhatIsOff(ctx, tx, stored);
      return describeAssistant(tx, stored);
    });
  } catch (error) {
    throw translateNumberTaken(error);
  }
}

/** After a change of mode or type, the voice or the number that stays is checked again. */
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

/** A script is checked again only when the script or the model changes. */
async function changedScriptFaults(
  tx: Tx,
  stored: AssistantRow,
  { system_prompt: prompt, ids }: AssistantChanges & { ids: Partial<Pick<AssistantRow, 'llmModelId'>> },
): Promise<FieldMessages> {
  if (prompt === undefined && ids.llmModelId === undefined) return {};
  const llmModelId = ids.llmModelId ?? stored.llmModelId;
  return scriptFaults(tx, { llmModelId, systemPrompt: prompt ?? stored.systemPrompt });
}

/** Checked again when the message, the mode or the language changes. */
async function changedDisclosureFault(
  tx: Tx,
  stored: AssistantRow,
  {
    disclosure_message: sent,
    mode,
    ids,
  }: AssistantChanges & { ids: Partial<Pick<AssistantRow, 'languageId'>> },
): Promise<FieldMessages> {
  if (sent === undefined && mode === undefined && ids.languageId === undefined) return {};
  const changed = { mode: mode ?? stored.mode, languageId: ids.languageId ?? stored.languageId };
  return disclosureFault(tx, changed, sent === undefined ? stored.disclosureMessage : sent);
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
