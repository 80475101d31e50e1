/**
 * A prompt for the built-in scripted model may be a script. An invalid script is refused when it is saved, with the line of
 * every fault, so that no call fails on it. Other models read the same text as a prompt.
 */
import { fieldFault } from '@parley/contracts';
import { LlmModel, Provider, type AssistantRow, type Tx } from '@parley/db';
import { checkScript, isScript } from '@parley/script';
import type { FieldMessages } from '../shared/domain-error.ts';

/** Its name in `packages/speech`. */
const SCRIPTED_MODEL = 'scripted';

/** @param assistant - as it will be; a missing model was refused already */
export async function scriptFaults(
  tx: Tx,
  assistant: { llmModelId: AssistantRow['llmModelId'] | undefined; systemPrompt: string },
): Promise<FieldMessages> {
  const { llmModelId, systemPrompt } = assistant;
  if (llmModelId === undefined || !isScript(systemPrompt)) return {};
  const faults = checkScript(systemPrompt);
  if (faults.length === 0) return {};
  if (!(await isScriptedModel(tx, llmModelId))) return {};
  const text = faults.map(({ line, message }) => `Line ${line}: ${message}`).join(' ');
  return fieldFault('system_prompt', `The script cannot be followed. ${text}`);
}

/** Whether the built-in model follows the prompt as a script. */
export async function isScriptedModel(tx: Tx, id: number): Promise<boolean> {
  const model = await tx.em.findOne(LlmModel, { id, wireName: SCRIPTED_MODEL });
  if (!model) return false;
  return (await tx.em.count(Provider, { id: model.providerId, kind: 'built-in' })) > 0;
}
