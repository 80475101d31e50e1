/** Labels and hints for the settings of an assistant. */
import { texts } from './texts.ts';

/** Whole seconds with units: `40 s`, `10 min`, `2 min 30 s`. */
export function describeSeconds(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes === 0) return texts.duration.seconds(rest);
  return rest === 0 ? texts.duration.minutes(minutes) : texts.duration.both(minutes, rest);
}

/** The API returns flags as booleans or as 0 and 1. */
export function yesNo(value: boolean | 0 | 1): string {
  return value ? texts.yes : texts.no;
}

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
