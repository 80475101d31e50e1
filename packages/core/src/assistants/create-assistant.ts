/** Creates an assistant for its owner. */
import type { AssistantRecord, NewAssistant } from '@parley/contracts';
import { Assistant, type Tx } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { knowledgeFaults } from '../knowledge/knowledge-of-assistant.ts';
import { disclosureFault } from '../lookups/disclosure-fault.ts';
import type { FieldMessages } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { assistantFromInput } from './assistant-input.ts';
import { assistantRecord } from './assistant-record.ts';
import { scriptFaults } from './check-script.ts';
import { findAssistantReferences, type FoundReferences } from './assistant-references.ts';
import { refuseFaults, translateNumberTaken } from './invalid-assistant.ts';
import { accountToolFaults } from './account-tool-references.ts';
import { recordFirstVersion } from './record-version.ts';
import { toolsToStore } from './tools-to-store.ts';
import { requireAssistantsBelowMaximum } from './assistant-maximum.ts';

/** @throws DomainError `invalid`, with messages per field, for references to things that do not exist */
export async function createAssistant(
  ctx: CoreContext,
  identity: Identity,
  input: NewAssistant,
): Promise<AssistantRecord> {
  const { userId } = identity;
  try {
    return await ctx.db.transaction(async (tx) => {
      await requireAssistantsBelowMaximum(tx, userId);
      const found = await findAssistantReferences(tx, { userId, assistantId: null }, input);
      const { llmModelId } = found.ids;
      const script = await scriptFaults(tx, { llmModelId, systemPrompt: input.system_prompt });
      const owner = { userId, assistantId: null };
      const sealed =
        input.tools && (await toolsToStore(ctx, tx, owner, { written: input.tools, stored: [] }));
      const disclosure = await newDisclosureFault(tx, input, found);
      const toolIds = input.tool_ids ?? [];
      const shared = await accountToolFaults(tx, { userId, toolIds, tools: sealed?.tools ?? [] });
      const knowledge = await knowledgeFaults(tx, userId, {
        knowledgebaseId: input.knowledgebase_id ?? null,
        knowledgebaseMode: input.knowledgebase_mode ?? '',
      });
      refuseFaults({ ...found.faults, ...script, ...disclosure, ...sealed?.faults, ...shared, ...knowledge });
      const { ids, language } = complete(found);
      const references = { ids, language, tools: sealed?.tools };
      const row = tx.em.create(Assistant, assistantFromInput(input, references, { userId, at: now(ctx) }));
      await tx.em.flush();
      await recordFirstVersion(tx, row, { tokenId: identity.tokenId, at: row.createdAt });
      return assistantRecord(row, language.name);
    });
  } catch (error) {
    throw translateNumberTaken(error);
  }
}

async function newDisclosureFault(
  tx: Tx,
  { mode, disclosure_message: message = null }: NewAssistant,
  { ids: { languageId } }: FoundReferences,
): Promise<FieldMessages> {
  return languageId === undefined ? {} : disclosureFault(tx, { mode, languageId }, message);
}

/** The contract requires all of them for a new assistant. */
function complete({ ids, language }: FoundReferences) {
  const { voiceId, languageId, llmModelId, phoneNumberId = null, ...others } = ids;
  if (voiceId === undefined || languageId === undefined || llmModelId === undefined || !language) {
    throw new Error('A new assistant needs a voice, a language and a model');
  }
  return { ids: { voiceId, languageId, llmModelId, phoneNumberId, ...others }, language };
}
