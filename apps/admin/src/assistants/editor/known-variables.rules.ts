/** The names of variables that have a value in every call of an assistant. */
import type { AssistantToolRecord } from '@parley/contracts';
import type { AssistantDraft, AssistantLookups } from './assistant-draft.ts';

/** Built-in variables, the assistant's own ones, and those that its tools set. */
export function knownVariables(
  { variables }: Pick<AssistantDraft, 'variables'>,
  { built_in_variables: builtIn }: Pick<AssistantLookups, 'built_in_variables'>,
  tools: readonly AssistantToolRecord[],
): ReadonlySet<string> {
  const own = variables.map(({ name }) => name.trim());
  const ofTools = tools.flatMap(({ data }) => ('variable' in data && data.variable ? [data.variable] : []));
  return new Set([...builtIn, ...own, ...ofTools]);
}
