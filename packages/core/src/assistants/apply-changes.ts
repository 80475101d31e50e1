/**
 * Validates changes of an assistant against what is stored, and applies them to a copy of its row. Saving an assistant and
 * talking to a draft of it are subject to the same rules.
 */
import { fieldFault, wording, type AssistantChanges } from '@parley/contracts';
import type { AssistantRow, AssistantTool, Transaction, Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import type { FieldMessages } from '../shared/domain-error.ts';
import { knowledgeFaults } from '../knowledge/knowledge-of-assistant.ts';
import { disclosureFault } from '../lookups/disclosure-fault.ts';
import { accountToolFaults } from './account-tool-references.ts';
import { changedAssistant } from './assistant-input.ts';
import { findAssistantReferences, type WantedReferences } from './assistant-references.ts';
import { scriptFaults } from './check-script.ts';
import { refuseFaults } from './invalid-assistant.ts';
import { toolsToStore } from './tools-to-store.ts';

/**
 * @param stored - of the user who sends the changes; it is not modified
 * @returns the row as it would be with the changes
 * @throws DomainError `invalid`, with messages per field, when the changes are not valid for this assistant
 */
export async function applyChanges(
  ctx: CoreContext,
  tx: Transaction,
  stored: AssistantRow,
  changes: AssistantChanges,
): Promise<AssistantRow> {
  const owner = { userId: stored.userId, assistantId: stored.id };
  const { ids, faults } = await findAssistantReferences(tx, owner, wantedReferences(stored, changes));
  const script = await changedScriptFaults(tx, stored, { ...changes, ids });
  const written = changes.tools;
  const sealed = written && (await toolsToStore(ctx, tx, owner, { written, stored: stored.tools }));
  const disclosure = await changedDisclosureFault(tx, stored, { ...changes, ids });
  const shared = await changedToolFaults(tx, stored, { ...changes, sealedTools: sealed?.tools });
  const knowledge = await changedKnowledgeFaults(tx, stored, changes);
  const webhook = webhookFault(stored, changes);
  const more = { ...sealed?.faults, ...shared, ...knowledge };
  refuseFaults({ ...faults, ...webhook, ...script, ...disclosure, ...more });
  return changedAssistant(stored, { ...changes, ids, sealedTools: sealed?.tools }, now(ctx));
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

/** Checked again when either list of tools changes. */
async function changedToolFaults(
  tx: Transaction,
  stored: AssistantRow,
  { tool_ids: sent, sealedTools: tools }: AssistantChanges & { sealedTools: AssistantTool[] | undefined },
): Promise<FieldMessages> {
  if (sent === undefined && tools === undefined) return {};
  const toolIds = sent === undefined ? stored.toolIds : (sent ?? []);
  return accountToolFaults(tx, { userId: stored.userId, toolIds, tools: tools ?? stored.tools });
}

/** Checked again when the knowledge base or its mode changes. */
async function changedKnowledgeFaults(
  tx: Transaction,
  stored: AssistantRow,
  { knowledgebase_id: id, knowledgebase_mode: mode }: AssistantChanges,
): Promise<FieldMessages> {
  if (id === undefined && mode === undefined) return {};
  return knowledgeFaults(tx, stored.userId, {
    knowledgebaseId: id === undefined ? stored.knowledgebaseId : id,
    knowledgebaseMode: mode ?? stored.knowledgebaseMode,
  });
}

/** "Required when" is satisfied by the stored address, unless this very change removes it. */
function webhookFault(stored: AssistantRow, changes: AssistantChanges): FieldMessages {
  const { is_webhook_active: isActive, webhook_url: url = stored.webhookUrl } = changes;
  if (isActive !== true || url !== null) return {};
  return fieldFault('webhook_url', wording.requiredWhen('is_webhook_active is true'));
}
