/** The form of a webhook endpoint: its values, and the request for them. */
import type { EndpointEvent, EndpointRecord, NewEndpoint } from '@parley/contracts';

/** The values of the fields. Selections of ids are texts. */
export interface EndpointDraft {
  url: string;
  description: string;
  events: EndpointEvent[];
  assistant_ids: string[];
  campaign_ids: string[];
  is_enabled: boolean;
}

/** @param endpoint - null: a new one */
export function endpointDraft(endpoint: EndpointRecord | null): EndpointDraft {
  if (!endpoint)
    return { url: '', description: '', events: [], assistant_ids: [], campaign_ids: [], is_enabled: true };
  const { url, description, events, is_enabled } = endpoint;
  return {
    url,
    description,
    events,
    assistant_ids: endpoint.assistant_ids.map(String),
    campaign_ids: endpoint.campaign_ids.map(String),
    is_enabled,
  };
}

/** The body of the request. */
export function endpointInput(draft: EndpointDraft): NewEndpoint {
  return {
    ...draft,
    url: draft.url.trim(),
    assistant_ids: draft.assistant_ids.map(Number),
    campaign_ids: draft.campaign_ids.map(Number),
  };
}

/** The choices of a filter: what exists, and what is selected although it was deleted. */
export function filterChoices(
  existing: readonly { id: number; name: string }[],
  selected: readonly string[],
  nameOfMissing: (id: string) => string,
): { value: string; label: string }[] {
  const known = existing.map(({ id, name }) => ({ value: String(id), label: name }));
  const missing = selected.filter((id) => !known.some(({ value }) => value === id));
  return [...known, ...missing.map((id) => ({ value: id, label: nameOfMissing(id) }))];
}
