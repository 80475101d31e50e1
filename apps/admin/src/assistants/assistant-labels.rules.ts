/** Labels and hints for the settings of an assistant. */
import { texts } from './texts.ts';

/** The name of the scripted model in the list of models. */
const SCRIPTED = 'Scripted dialogue (built in)';

/** The models that can replace that one in a call: all others, except the scripted one. None for the scripted model. */
export function secondModels(models: readonly string[], first: string): string[] {
  return first === SCRIPTED ? [] : models.filter((name) => name !== first && name !== SCRIPTED);
}

/** The hint for a model, or undefined. */
export function modelHint(model: string): string | undefined {
  return model === SCRIPTED ? texts.hints.scriptedModel : undefined;
}

/** The hint for the instructions. */
export function instructionsHint(model: string): string {
  return model === SCRIPTED ? texts.hints.script : texts.hints.instructions;
}
