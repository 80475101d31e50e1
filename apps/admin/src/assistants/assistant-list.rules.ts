/** What the list of assistants shows. */
import type { AssistantRecord } from '@parley/contracts';

/** The limit of the API. */
export const MAX_NAME_LENGTH = 255;

/** Identifies an assistant among deletions. */
export function assistantKey(id: number): string {
  return `assistant ${id}`;
}

/** The assistants whose name contains every word of the search, in any order and case. */
export function searchAssistants<Assistant extends Pick<AssistantRecord, 'name'>>(
  assistants: readonly Assistant[],
  search: string,
): readonly Assistant[] {
  const words = search.toLowerCase().split(/\s+/);
  return assistants.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}
