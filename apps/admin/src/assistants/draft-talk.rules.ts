/** What an operator can enter before a call with the draft of an assistant, and what is said about the draft during the call. */
import type { AssistantDraft } from './editor/assistant-draft.ts';
import { isKnown, partsOf } from './editor/placeholders.rules.ts';

/** A variable for which a value can be entered. */
export interface OfferedVariable {
  name: string;
  /** The value that it has if none is entered; empty: none. */
  preset: string;
}

type Texts = Pick<AssistantDraft, 'disclosure_message' | 'initial_message' | 'system_prompt' | 'variables'>;

/**
 * The variables that the texts of a draft use, each once, in the order of the conversation.
 *
 * @param supplied - names of variables whose values come from the call itself; they are not offered
 */
export function offeredVariables(draft: Texts, supplied: ReadonlySet<string>): OfferedVariable[] {
  const own = new Map(draft.variables.map(({ name, value }) => [name.trim(), value]));
  const texts = [draft.disclosure_message, draft.initial_message, draft.system_prompt];
  const presets = new Map<string, string>();
  for (const { name, fallback = '' } of texts.flatMap(partsOf))
    if (name !== undefined && !isKnown(name, supplied))
      presets.set(name, own.get(name) || presets.get(name) || fallback.trim());
  return [...presets].map(([name, preset]) => ({ name, preset }));
}

/** The entered values of variables that are still offered. What was left empty is not sent. */
export function enteredVariables(
  offered: readonly OfferedVariable[],
  entered: Readonly<Record<string, string>>,
): Record<string, string> {
  const values = offered.map(({ name }) => [name, entered[name] ?? ''] as const);
  return Object.fromEntries(values.filter(([, value]) => value.trim() !== ''));
}

/** The draft when a call began. */
export interface BegunCall {
  values: AssistantDraft;
  hasChanges: boolean;
}

/** `draft`: the present or next call is one with unsaved changes. `changed`: the form was edited during the present call. */
export type DraftNote = 'draft' | 'changed';

/** @param begun - of the call that is under way; null without one */
export function draftNotes(
  begun: BegunCall | null,
  { values, hasChanges }: { values: AssistantDraft; hasChanges: boolean },
): DraftNote[] {
  if (begun === null) return hasChanges ? ['draft'] : [];
  const isChanged = JSON.stringify(values) !== JSON.stringify(begun.values);
  return [...(begun.hasChanges ? (['draft'] as const) : []), ...(isChanged ? (['changed'] as const) : [])];
}
