/**
 * A prompt for the built-in scripted model may be a script. An invalid script is refused when it is saved, with the line of
 * every fault, so that no call fails on it. Other models read the same text as a prompt.
 */
import { fieldFault } from '@parley/contracts';
import type { AssistantRow, Tx } from '@parley/db';
import { checkScript, isScript } from '@parley/script';
import { isScriptedModel } from '../lookups/is-scripted-model.ts';
import type { FieldMessages } from '../shared/domain-error.ts';

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
