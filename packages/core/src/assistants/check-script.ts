/**
 * A prompt for the built-in scripted model may be a script; a script that cannot be followed is refused when it is saved,
 * with the line of every fault, and not in the middle of a call. Other models read the same text as a prompt.
 */
import { fieldFault } from '@parley/contracts';
import { statement, type AssistantRow, type Tx } from '@parley/db';
import { checkScript, isScript } from '@parley/script';
import type { FieldMessages } from '../shared/domain-error.ts';

/** As `packages/speech` calls it. */
const SCRIPTED_MODEL = 'scripted';

const selectScripted = statement<{ id: number }>(
  'is_scripted_model',
  `select m.id from llm_models m join providers p on p.id = m.provider_id
   where m.id = $1 and m.wire_name = $2 and p.kind = 'built-in'`,
);

/** @param assistant - as it will be; parts that are not known yet were refused for other reasons */
export async function scriptFaults(
  tx: Tx,
  assistant: { llmModelId: AssistantRow['llmModelId'] | undefined; systemPrompt: string },
): Promise<FieldMessages> {
  const { llmModelId, systemPrompt } = assistant;
  if (llmModelId === undefined || !isScript(systemPrompt)) return {};
  const faults = checkScript(systemPrompt);
  if (faults.length === 0) return {};
  const [scripted] = await tx.query(selectScripted, [llmModelId, SCRIPTED_MODEL]);
  if (!scripted) return {};
  const text = faults.map(({ line, message }) => `Line ${line}: ${message}`).join(' ');
  return fieldFault('system_prompt', `The script cannot be followed. ${text}`);
}
