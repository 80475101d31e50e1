/** The names of variables that have a value in every call of an assistant. */
import type { AssistantToolRecord } from '@parley/contracts';
import type { AssistantDraft, AssistantLookups } from './assistant-draft.ts';

type BuiltIn = Pick<AssistantLookups, 'built_in_variables'>;

/** Built-in variables, and those that the tools of the assistant set. */
export function suppliedVariables(
  { built_in_variables: builtIn }: BuiltIn,
  tools: readonly AssistantToolRecord[],
): ReadonlySet<string> {
  const ofTools = tools.flatMap(({ data }) => ('variable' in data && data.variable ? [data.variable] : []));
  return new Set([...builtIn, ...ofTools]);
}

/** Built-in variables, the assistant's own ones, and those that its tools set. */
export function knownVariables(
  { variables }: Pick<AssistantDraft, 'variables'>,
  lookups: BuiltIn,
  tools: readonly AssistantToolRecord[],
): ReadonlySet<string> {
  return new Set([...suppliedVariables(lookups, tools), ...variables.map(({ name }) => name.trim())]);
}
