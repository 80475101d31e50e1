/** Whether a language model is the built-in one, which follows the prompt as a script. */
import { LlmModel, Provider, type Tx } from '@parley/db';

/** The name of the scripted model in `packages/speech`. */
const SCRIPTED_MODEL = 'scripted';

/** @param id - of the model */
export async function isScriptedModel(tx: Tx, id: number): Promise<boolean> {
  const model = await tx.em.findOne(LlmModel, { id, wireName: SCRIPTED_MODEL });
  if (!model) return false;
  return (await tx.em.count(Provider, { id: model.providerId, kind: 'built-in' })) > 0;
}
