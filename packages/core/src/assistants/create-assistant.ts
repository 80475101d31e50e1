/** Makes an assistant for its owner. */
import type { AssistantRecord, NewAssistant } from '@parley/contracts';
import { now, type CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { assistantFromInput } from './assistant-input.ts';
import { assistantRecord } from './assistant-record.ts';
import { scriptFaults } from './check-script.ts';
import { findAssistantReferences, type FoundReferences } from './assistant-references.ts';
import { refuseFaults, translateNumberTaken } from './invalid-assistant.ts';
import { insertAssistant } from './stored-assistant.ts';
import { toolsToStore } from './tools-to-store.ts';

/** @throws DomainError `invalid`, with messages per field, for references that lead nowhere */
export async function createAssistant(
  ctx: CoreContext,
  identity: Identity,
  input: NewAssistant,
): Promise<AssistantRecord> {
  const { userId } = identity;
  try {
    return await ctx.db.transaction(async (tx) => {
      const found = await findAssistantReferences(tx, { userId, assistantId: null }, input);
      const { llmModelId } = found.ids;
      const script = await scriptFaults(tx, { llmModelId, systemPrompt: input.system_prompt });
      const owner = { userId, assistantId: null };
      const sealed =
        input.tools && (await toolsToStore(ctx, tx, owner, { written: input.tools, stored: [] }));
      refuseFaults({ ...found.faults, ...script, ...sealed?.faults });
      const { ids, language } = complete(found);
      const references = { ids, language, tools: sealed?.tools };
      const row = assistantFromInput(input, references, { userId, at: now(ctx) });
      const id = await insertAssistant(tx, row);
      return assistantRecord({ ...row, id, languageName: language.name });
    });
  } catch (error) {
    throw translateNumberTaken(error);
  }
}

/** The contract lets nobody create an assistant without naming all of them. */
function complete({ ids, language }: FoundReferences) {
  const { voiceId, languageId, llmModelId, phoneNumberId = null, transcriberProviderId = null } = ids;
  if (voiceId === undefined || languageId === undefined || llmModelId === undefined || !language) {
    throw new Error('An assistant was to be created without a voice, a language or a model');
  }
  return { ids: { voiceId, languageId, llmModelId, phoneNumberId, transcriberProviderId }, language };
}
